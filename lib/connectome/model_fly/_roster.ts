import { NO_COLUMN, type Region } from "../connectome.ts";

/** Where one slot of a neuron's inputs may come from. */
export interface Source {
  /** A group of neurons by name. */
  readonly group: string;
  /** How often it is picked, against the other sources of the recipe. */
  readonly weight: number;
  /** Retinotopic: how far across the eye, in columns (standard deviation). Any neuron of the group if left out. */
  readonly near?: number;
  /** How often the sender is on the receiver's own side. Default 0.8. */
  readonly own?: number;
}

/** A source of which every neuron on the receiver's own side sends, each with this chance. */
export interface Whole {
  /** A group of neurons by name. */
  readonly group: string;
  /** The chance of each. */
  readonly chance: number;
  /** Both sides instead of the receiver's own. */
  readonly bothSides?: boolean;
}

/** What the neurons of one type listen to. */
export interface Recipe {
  /** Mean number of connections received from `sources`, before all are scaled to the published total. */
  readonly inputs: number;
  /** Spread of that number between neurons: standard deviation of its logarithm. */
  readonly spread: number;
  /** Where they come from. */
  readonly sources: readonly Source[];
  /** Received on top, in wholes. */
  readonly wholes?: readonly Whole[];
}

/** Neurons of one type, one after the other. */
export interface Run {
  readonly type: string;
  readonly superclass: string;
  readonly class: string;
  readonly region: Region;
  /** `undefined` where the transmitters that are left over are dealt out. */
  readonly transmitter: string | undefined;
  readonly first: number;
  readonly count: number;
  readonly recipe: Recipe;
}

/** What `Roster.add` takes. */
export interface NewRun {
  readonly type: string;
  readonly superclass: string;
  readonly class?: string;
  readonly region: Region;
  readonly transmitter?: string;
  /** Groups that the neurons belong to, by which sources name them. */
  readonly groups: readonly string[];
  readonly recipe: Recipe;
  /** The side (0 left, 1 right) and eye column (-1 for none) of each neuron. */
  readonly cells: readonly { readonly side: number; readonly column: number }[];
  /** Whether the table gives the column away. */
  readonly labelled?: boolean;
}

/** The neurons of a growing nervous system, type by type, and the groups they belong to. */
export class Roster {
  /** Every type in the order in which it was added. */
  readonly runs: Run[] = [];
  /** Side of each neuron. */
  readonly side: number[] = [];
  /** Eye column of each neuron, counted within the eye of its side; -1 where it has none. */
  readonly column: number[] = [];
  /** Whether the table shows that column. */
  readonly labelled: boolean[] = [];
  /** Members of each group. */
  readonly groups: Map<string, number[]> = new Map();

  /** How many neurons there are so far. */
  get neurons(): number {
    return this.side.length;
  }

  /** Adds the neurons of one type. */
  add(run: NewRun): void {
    if (run.cells.length === 0) return;
    const first = this.neurons;
    for (const { side, column } of run.cells) {
      this.side.push(side);
      this.column.push(column);
      this.labelled.push(run.labelled === true && column >= 0);
    }
    for (const group of run.groups) {
      const members = this.groups.get(group) ?? [];
      for (let k = 0; k < run.cells.length; k++) members.push(first + k);
      this.groups.set(group, members);
    }
    this.runs.push({
      type: run.type,
      superclass: run.superclass,
      class: run.class ?? "",
      region: run.region,
      transmitter: run.transmitter,
      first,
      count: run.cells.length,
      recipe: run.recipe,
    });
  }

  /** Both coordinates as the neuron table holds them. */
  shownColumn(neuron: number, h1: ArrayLike<number>, h2: ArrayLike<number>): readonly [number, number] {
    if (!this.labelled[neuron]) return [NO_COLUMN, NO_COLUMN];
    const column = this.column[neuron]!;
    return [h1[column]!, h2[column]!];
  }
}

/** `count` neurons in left and right pairs, an odd one on the right, none in an eye column. */
export function pairs(count: number): { side: number; column: number }[] {
  return Array.from({ length: count }, (_, k) => ({ side: 1 - k % 2, column: -1 }));
}
