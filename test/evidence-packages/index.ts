export { type EvidencePair, type EvidenceScript, readPairs, readScripts } from "./evidence-data.ts";
export { buildPackageHistory, type PackageHistory } from "./package-history.ts";
export { type PlayedScript, playScripts } from "./play-scripts.ts";
export { type PairReport, runPair } from "./run-pair.ts";
