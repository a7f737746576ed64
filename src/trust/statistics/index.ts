export { type PairedCounts, pairedDifference } from "./paired-difference.ts";
export { correctedWilsonInterval, type Interval, wilsonInterval } from "./wilson.ts";
