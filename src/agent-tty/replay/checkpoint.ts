import { deserialize } from "node:v8";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { type CheckpointFrame, findCheckpoints, readCheckpoint } from "../log/index.ts";
import { restoreScreen, type Screen, type ScreenState, STATE_FORMAT } from "../screen/index.ts";

/** A checkpoint that claims to be larger is damaged. */
const MAX_STATE_BYTES = 256 * 1024 * 1024;

/** Returns the latest usable checkpoint up to `toSeq`, or null if replay has to start at the beginning. */
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

/** Returns the screen of a checkpoint, or null if its bytes are damaged (gzip has a checksum) or in another format. */
async function restored(frame: CheckpointFrame): Promise<Screen | null> {
  try {
    const compressed = await readCheckpoint(frame);
    const body = await promisify<Buffer, object, Buffer>(gunzip)(compressed, {
      maxOutputLength: MAX_STATE_BYTES,
    });
    const state = deserialize(body) as ScreenState;
    return (state.format as string) === STATE_FORMAT ? restoreScreen(state) : null;
  } catch {
    return null;
  }
}
