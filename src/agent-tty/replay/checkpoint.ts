import { deserialize, serialize } from "node:v8";
import { promisify } from "node:util";
import { constants, gunzip, gzip } from "node:zlib";
import { type CheckpointFrame, findCheckpoints, readCheckpoint } from "../log/index.ts";
import { restoreScreen, type Screen, type ScreenState, STATE_FORMAT } from "../screen/index.ts";

/** A checkpoint that claims to be larger is damaged. */
const MAX_STATE_BYTES = 256 * 1024 * 1024;

const compress = promisify<Buffer, object, Buffer>(gzip);
const decompress = promisify<Buffer, object, Buffer>(gunzip);

/** Serialises and compresses a screen state for a checkpoint. */
export function encodeState(state: ScreenState): Promise<Buffer> {
  return compress(serialize(state), { level: constants.Z_BEST_SPEED });
}

/** Returns the latest usable checkpoint up to `toSeq`; null: replay starts at the beginning. */
export async function openCheckpoint(
  directory: string,
  toSeq: number,
): Promise<{ screen: Screen; frame: CheckpointFrame } | null> {
  for (const frame of await findCheckpoints(directory, toSeq)) {
    const screen = await restored(frame);
    if (screen !== null) return { screen, frame };
  }
  return null;
}

/** Returns null if the checkpoint's bytes are damaged (gzip has a checksum) or in another format. */
async function restored(frame: CheckpointFrame): Promise<Screen | null> {
  try {
    const body = await decompress(await readCheckpoint(frame), {
      maxOutputLength: MAX_STATE_BYTES,
    });
    const state = deserialize(body) as ScreenState;
    return (state.format as string) === STATE_FORMAT ? restoreScreen(state) : null;
  } catch {
    return null;
  }
}
