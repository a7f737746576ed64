import { promisify } from "node:util";
import { serialize } from "node:v8";
import { constants, gzip } from "node:zlib";
import type { ScreenState } from "../screen/index.ts";

/** Serialises and compresses a screen state for a checkpoint, as a replay reads it. */
export function encodeState(state: ScreenState): Promise<Buffer> {
  return promisify<Buffer, object, Buffer>(gzip)(serialize(state), { level: constants.Z_BEST_SPEED });
}
