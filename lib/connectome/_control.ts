import type { Connectome } from "./connectome.ts";
import { csrFromEdges } from "./csr.ts";

/** What a control changed, for its provenance. */
export interface ControlNote {
  /** The function that made it. */
  readonly control: string;
  /** Seeds, options and counts. */
  readonly [key: string]: unknown;
}

/** A control whose connections end elsewhere: senders and synapses stay as they are, self-connections are dropped. */
export function withReceivers(
  connectome: Connectome,
  name: string,
  note: ControlNote,
  post: Int32Array,
): Connectome {
  const neurons = connectome.sign.length;
  const rows = csrFromEdges(neurons, connectome.pre, post, connectome.synapses, { dropSelf: true });
  return {
    ...connectome,
    name,
    provenance: {
      ...note,
      selfConnectionsDropped: connectome.pre.length - rows.pre.length,
      of: { name: connectome.name, provenance: connectome.provenance },
    },
    ...rows,
  };
}
