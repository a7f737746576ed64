import type { Moment } from "../../test/support/tui-recordings/index.ts";
import { readEvents } from "agent-tty";
import type { Meanings } from "./perform.ts";

/** Milliseconds since the epoch at which the recording's time is 0. */
export async function startedAtMs(directory: string): Promise<number> {
  for await (const { record } of readEvents(directory))
    if (record.type === "started") return record.wallMs - record.t;
  throw new Error(`the Event Log in ${directory} has no start`);
}

/** The inputs that mean something, at the time at which they were written to the terminal. */
export async function inputMoments(directory: string, meanings: Meanings): Promise<Moment[]> {
  const moments: Moment[] = [];
  for await (const { record } of readEvents(directory)) {
    const means = meanings.get(record.seq);
    if (record.type === "input" && means !== undefined)
      moments.push({ type: "input", atMs: record.t, means });
  }
  return moments;
}
