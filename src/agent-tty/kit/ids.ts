import { randomBytes } from "node:crypto";
import type { Clock } from "./clock.ts";

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Randomness as a dependency: production uses `systemIds`, tests a seeded source. */
export interface Ids {
  /** A ULID: 26 Crockford base-32 characters, sortable by creation time. https://github.com/ulid/spec */
  ulid(): string;
  /** `sizeBytes` random bytes as lower-case hex. */
  hex(sizeBytes: number): string;
}

/** Creates ids from this clock and this source of random bytes; with a seeded source they are reproducible. */
export function createIds(clock: Clock, random: (sizeBytes: number) => Uint8Array): Ids {
  return {
    ulid: () => encodeTime(clock.nowMs()) + encodeRandom(random(16)),
    hex: (sizeBytes) => Buffer.from(random(sizeBytes)).toString("hex"),
  };
}

/** Creates ids from the system's secure random source. */
export function systemIds(clock: Clock): Ids {
  // Loading node:crypto takes two milliseconds, and many commands create no id.
  return createIds(clock, (sizeBytes) => randomBytes(sizeBytes));
}

function encodeTime(epochMs: number): string {
  let rest = Math.floor(epochMs);
  let text = "";
  for (let index = 0; index < 10; index += 1) {
    text = CROCKFORD.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function encodeRandom(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => CROCKFORD.charAt(byte % 32)).join("");
}
