import type { Moment } from "../../test/support/tui-recordings/index.ts";
import { readEvents } from "agent-tty";
import type { Meanings } from "./perform.ts";

/** Returns the time at which the recording starts, in milliseconds since the epoch. */
export async function startedAtMs(directory: string): Promise<number> {
  for await (const { record } of readEvents(directory))
    if (record.type === "started") return record.wallMs - record.t;
  throw new Error(`the Event Log in ${directory} has no start`);
}

/** Returns the inputs with a meaning, each with the time at which it was written to the terminal. */
export async function inputMoments(directory: string, meanings: Meanings): Promise<Moment[]> {
  const moments: Moment[] = [];
  for await (const { record } of readEvents(directory)) {
    const means = meanings.get(record.seq);
    if (record.type === "input" && means !== undefined)
      moments.push({ type: "input", atMs: record.t, means });
  }
  return moments;
}
