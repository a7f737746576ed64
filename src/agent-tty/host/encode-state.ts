import { promisify } from "node:util";
import { serialize } from "node:v8";
import { constants, gzip } from "node:zlib";
import type { ScreenState } from "../screen/index.ts";

/** Returns a screen state, serialised and compressed for a checkpoint, in the form that a replay reads. */
export function encodeState(state: ScreenState): Promise<Buffer> {
  return promisify<Buffer, object, Buffer>(gzip)(serialize(state), { level: constants.Z_BEST_SPEED });
}
