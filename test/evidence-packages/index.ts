export { type EvidencePair, type EvidenceScript, readPairs, readScripts } from "./evidence-data.ts";
export { type LocalPlaces, localPlaces } from "./local-place.ts";
export { buildOwnRepository } from "./own-scripts/index.ts";
export { buildPackageHistory, cutPackageHistory, type PackageHistory } from "./package-history.ts";
export { type OwnLabel, type PlayedOwnScript, playOwnScripts } from "./play-own-scripts.ts";
export { cloneAt, type PlayedScript, playScripts, predictionOf } from "./play-scripts.ts";
export { type PairReport, runPair } from "./run-pair.ts";
export { type PlayedPair, playSameCause, type Report, type ReportPair } from "./play-same-cause.ts";
