// cell 2
import { growModelFly, mushroomBody, show } from "flychess";

const connectome = growModelFly({ scale: 1 / 64, seed: 1 });
const body = mushroomBody(connectome);
await show(`${body.kenyon.length} Kenyon cells, ${body.mbon.length} MBONs; ${body.assumption}`);

// cell 4
import { experiment } from "flychess/experiments";

const rules = await experiment("dopamine_rules", { connectome, quick: true });
await show(rules.picture);

export {};
