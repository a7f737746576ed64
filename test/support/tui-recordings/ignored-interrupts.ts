import type { Moment } from "./moment.ts";

/** A tool that takes an interrupt breaks off the answer that it is being given within this time. */
const NOTICED_WITHIN_MS = 3_000;

/** The times of the interrupts in the middle of an answer that the tool did not take: a label made of them would be wrong. */
export function ignoredInterrupts(moments: readonly Moment[]): number[] {
  return moments.flatMap((moment, index) => {
    if (moment.type !== "input" || moment.means !== "interrupt") return [];
    const before = moments.slice(0, index).findLast((one) => one.type === "traffic");
    const isInAnswer = before?.type === "traffic" && before.traffic.type === "first-byte";
    const isTaken = moments.some(
      (one) =>
        one.type === "traffic" &&
        one.traffic.type === "client-gone" &&
        Math.abs(one.atMs - moment.atMs) < NOTICED_WITHIN_MS,
    );
    return isInAnswer && !isTaken ? [Math.round(moment.atMs)] : [];
  });
}
