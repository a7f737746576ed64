export { type PairedCounts, pairedDifference } from "./paired-difference.ts";
export { type Interval, wilsonInterval } from "./wilson.ts";
