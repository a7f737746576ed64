import type { Moment } from "./moment.ts";

/** A tool that accepts an interrupt closes the connection of the running answer within this time. */
const NOTICED_WITHIN_MS = 3_000;

/** Returns the times of interrupts in the middle of an answer that the tool ignored; labels derived from them would be wrong. */
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
