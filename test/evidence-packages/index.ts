export { type EvidencePair, readPairs } from "./evidence-data.ts";
export { buildPackageHistory, type PackageHistory } from "./package-history.ts";
export { type PairReport, runPair } from "./run-pair.ts";
