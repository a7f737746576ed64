import { appendFile } from "node:fs/promises";
import { encodeState } from "../host/index.ts";
import type { Home } from "../home/index.ts";
import { checkpointPath, encodeCheckpoint, readEvents } from "../log/index.ts";
import { createScreen } from "../screen/index.ts";

/**
 * Adds a checkpoint at a sequence to a Session that is not live, as its host would have done. Resolves with false if no
 * checkpoint is possible there.
 */
export async function writeCheckpoint(home: Home, sessionId: string, atSeq: number): Promise<boolean> {
  const directory = home.sessionDirectory(sessionId);
  let screen = createScreen({ cols: 80, rows: 24 });
  const position = { seq: 0, eventsBytes: 0, outputBytes: 0 };
  for await (const { record, bytes, endOffset } of readEvents(directory, { toSeq: atSeq })) {
    if (record.type === "started") {
      screen[Symbol.dispose]();
      screen = createScreen(record);
    }
    if (record.type === "output") screen.write(bytes, record.seq);
    if (record.type === "resize") screen.resize(record.cols, record.rows, record.seq);
    position.seq = record.seq;
    position.eventsBytes = endOffset;
    position.outputBytes += bytes.byteLength;
  }
  const state = screen.state();
  screen[Symbol.dispose]();
  if (state === null) return false;
  const frame = encodeCheckpoint(position, await encodeState(state));
  await appendFile(checkpointPath(directory), Buffer.concat(frame), { mode: 0o600 });
  return true;
}
