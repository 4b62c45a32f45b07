import type { DownloadFile } from "../common/mod.ts";

const MALECNS = "https://storage.googleapis.com/flyem-male-cns/v1.0/connectome-data/flat-connectome/";
const LARVA = "https://raw.githubusercontent.com/neurodata/bilateral-connectome/main/data/elife/";

/**
 * The three tables of MaleCNS v1.0 (FlyEM at Janelia, Google Research and the Cambridge Connectomics Group, CC BY
 * 4.0), with the sizes and checksums they were published with: annotations, neurotransmitters, weights.
 */
export const MALECNS_FILES: readonly DownloadFile[] = [
  {
    name: "body-annotations-male-cns-v1.0-minconf-0.5.feather",
    url: `${MALECNS}body-annotations-male-cns-v1.0-minconf-0.5.feather`,
    bytes: 14_483_314,
    sha256: "2177e246113e4cfbf1e7772ec37c6da1955ff22e8063d0b1f833101f99a9a3b2",
  },
  {
    name: "body-neurotransmitters-male-cns-v1.0.feather",
    url: `${MALECNS}body-neurotransmitters-male-cns-v1.0.feather`,
    bytes: 43_282_834,
    sha256: "95c9289220663abeb3409f3ad9e5a7f8a53f8093f5139d15502cd08da8879621",
  },
  {
    name: "connectome-weights-male-cns-v1.0-minconf-0.5-traced-only.feather",
    url: `${MALECNS}connectome-weights-male-cns-v1.0-minconf-0.5-traced-only.feather`,
    bytes: 508_025_642,
    md5: "ZgHUrQr6mf0D6wh5Ze8kIw==",
  },
];

/**
 * The larval brain of Winding et al. 2023, as published with neurodata/bilateral-connectome (MIT): connections, neurons.
 * No sizes or checksums were published with them; what a build counts (3,554 neurons, 119,010 rows, 376,091 synapses) is
 * the check.
 */
export const LARVA_FILES: readonly DownloadFile[] = [
  { name: "G_edgelist.txt", url: `${LARVA}G_edgelist.txt` },
  { name: "meta_data.csv", url: `${LARVA}meta_data.csv` },
];
