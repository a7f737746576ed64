import { type Clock, createIds, type Ids } from "../kit/index.ts";

/** Creates deterministic ids: the same seed and clock produce the same sequence. */
export function seededIds(clock: Clock, seed: number): Ids {
  let state = seed >>> 0;
  const nextByte = (): number => {
    // mulberry32, one byte per step: good enough for distinct ids.
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) & 0xff;
  };
  return createIds(clock, (sizeBytes) => Uint8Array.from({ length: sizeBytes }, nextByte));
}
