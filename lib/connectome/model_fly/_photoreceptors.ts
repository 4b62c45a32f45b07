import type { Random } from "../../common/mod.ts";
import { type EyeColumns } from "./_eye_columns.ts";
import { PHOTORECEPTORS, PLACED } from "./_published.ts";

/** A photoreceptor with its place: `column` counts within the eye of its side, -1 where it has none. */
export interface Photoreceptor {
  /** `R1-R6`, `R7p`, ... */
  readonly type: string;
  /** 0 left, 1 right. */
  readonly side: 0 | 1;
  /** The column of that eye, or -1. */
  readonly column: number;
}

/** How the placed cells of the whole fly divide; only their sum is published. */
const PLACED_R1_R6 = 1_250;
/** Unplaced cells are mostly R1-R6: the lamina of a part of the eye is outside the volume. */
const UNPLACED_R1_R6_SHARE = 0.78;
/** The part of the eye without R1-R6: this share of the columns, at the high end of hex1 - hex2. */
const BARE = 0.13;
/** How densely R7 and R8 are placed at the low end of hex1 - hex2, against the part without R1-R6. */
const LEAST_DENSE = 0.16;

/** Share of R1-R6 among the cells of a small eye, which can afford fewer R7 and R8. */
const SHAPES = 0.6;

interface Place {
  readonly h1: number;
  readonly h2: number;
  /** Columns of the left and the right eye at this place, -1 where one has none. */
  readonly sides: readonly [number, number];
}

/** Photoreceptors on the eyes of a model fly; with one part short of R1-R6 at scale 1. */
export function photoreceptors(
  eyes: { readonly L: EyeColumns; readonly R: EyeColumns },
  scale: number,
  random: Random,
): Photoreceptor[] {
  const places: Place[] = [];
  for (let c = 0; c < eyes.R.h1.length; c++) {
    const h1 = eyes.R.h1[c]!;
    const h2 = eyes.R.h2[c]!;
    places.push({ h1, h2, sides: [eyes.L.at(h1, h2), c] });
  }
  const placed = scale === 1 ? wholeEye(places, random) : evenEye(places, scale, random);
  const unplaced = Math.round((PHOTORECEPTORS - PLACED) * placed.length / PLACED);
  for (let k = 0; k < unplaced; k++) {
    const type = k < unplaced * UNPLACED_R1_R6_SHARE
      ? "R1-R6"
      : k % 2
      ? colour("R7", random)
      : colour("R8", random);
    placed.push({ type, side: random.int(2) as 0 | 1, column: -1 });
  }
  return placed;
}

/** R7 and R8 come in a pale and a yellow kind, about 1 to 2, and some at the dorsal rim. */
function colour(cell: string, random: Random): string {
  const draw = random.float();
  return cell + (draw < 0.3 ? "p" : draw < 0.88 ? "y" : draw < 0.93 ? "d" : "_unclear");
}

function wholeEye(places: readonly Place[], random: Random): Photoreceptor[] {
  const turned = [...places].sort((a, b) => (a.h1 - a.h2) - (b.h1 - b.h2) || a.h1 - b.h1);
  const firstBare = Math.floor(turned.length * (1 - BARE));
  const density = new Map(
    turned.map((place, k) =>
      [place, k >= firstBare ? 1 : LEAST_DENSE + (0.95 - LEAST_DENSE) * k / firstBare] as const
    ),
  );
  const seeing = new Set(turned.slice(0, firstBare));
  // Along the eye in short rows, so that no square of the board goes without.
  const rows = [...places].sort((a, b) =>
    Math.floor((a.h1 + a.h2) / 4) - Math.floor((b.h1 + b.h2) / 4) || (a.h1 - a.h2) - (b.h1 - b.h2)
  );
  const cells: Photoreceptor[] = [];
  const either = (place: Place): 0 | 1 => place.sides[0] < 0 || random.int(2) ? 1 : 0;
  const spread = (wanted: number, weight: (place: Place) => number, put: (place: Place) => void) => {
    const whole = rows.reduce((sum, place) => sum + weight(place), 0);
    let owed = random.float();
    let dealt = 0;
    for (const place of rows) {
      owed += wanted * weight(place) / whole;
      for (; owed >= 1 && dealt < wanted; owed--, dealt++) put(place);
    }
    for (; dealt < wanted; dealt++) put(rows.findLast((place) => weight(place) > 0)!);
  };
  spread(PLACED_R1_R6, (place) => seeing.has(place) ? 0.5 + random.float() : 0, (place) => {
    const side = either(place);
    cells.push({ type: "R1-R6", side, column: place.sides[side] });
  });
  const sevens = Math.floor((PLACED - PLACED_R1_R6) / 2);
  for (const [cell, wanted] of [["R7", sevens], ["R8", PLACED - PLACED_R1_R6 - sevens]] as const) {
    const taken = new Set<string>();
    spread(wanted, (place) => density.get(place)!, (place) => {
      // A column has one R7 and one R8: the second of a place is the other eye's.
      let side = either(place);
      if (taken.has(`${side} ${place.h1} ${place.h2}`) && place.sides[1 - side]! >= 0) {
        side = 1 - side as 0 | 1;
      }
      taken.add(`${side} ${place.h1} ${place.h2}`);
      cells.push({ type: colour(cell, random), side, column: place.sides[side] });
    });
  }
  return cells;
}

/** The same number of cells on each of 64 patches, cut the way the fair eye cuts columns of equal weight. */
function evenEye(places: readonly Place[], scale: number, random: Random): Photoreceptor[] {
  const each = Math.max(8, Math.round(PLACED * scale / 64));
  // Whole sets of the six that tell piece types, and as many R7 as R8.
  const shapes = 6 * Math.max(1, Math.round(each * SHAPES / 6));
  const colours = Math.max(1, Math.floor((each - shapes) / 2));
  const u = (place: Place) => place.h1 - place.h2;
  const v = (place: Place) => place.h1 + place.h2;
  const along = [...places].sort((a, b) => v(a) - v(b) || u(a) - u(b));
  const band = places.length / 8;
  const patch = band / 8;
  const cells: Photoreceptor[] = [];
  for (let rank = 0; rank < 8; rank++) {
    const row = along.slice(rank * band, (rank + 1) * band).sort((a, b) => u(a) - u(b) || v(a) - v(b));
    for (let file = 0; file < 8; file++) {
      const columns = row.slice(file * patch, (file + 1) * patch);
      const types = [
        ...Array.from({ length: shapes }, () => "R1-R6"),
        ...Array.from({ length: colours }, () => [colour("R7", random), colour("R8", random)]).flat(),
      ];
      types.forEach((type, k) => {
        const place = columns[k % patch]!;
        const side = random.int(2) as 0 | 1;
        cells.push({ type, side, column: place.sides[side] });
      });
    }
  }
  return cells;
}
