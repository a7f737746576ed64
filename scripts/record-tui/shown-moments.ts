import type { Moment } from "../../test/support/tui-recordings/index.ts";
import type { PreparedTool } from "./preparation.ts";
import { readEvents } from "agent-tty";
import { createScreen } from "agent-tty/testing";

/**
 * Renders the output again to find when the question for trust and, after each start, the prompt were first on the screen, and
 * when the question for permission was after each of `askedAtMs`.
 */
export async function shownMoments(
  directory: string,
  { promptShown, trustShown, permissionShown }: PreparedTool,
  inputs: readonly Moment[],
  askedAtMs: readonly number[],
): Promise<Moment[]> {
  // Before the question for trust is answered, a screen that looks like a prompt is not a prompt.
  const fromMs = inputs.find((one) => one.type === "input" && one.means === "trust_accept")?.atMs ?? 0;
  const launches = inputs.flatMap((one) =>
    one.type === "input" && one.means === "launch" ? [one.atMs] : [],
  );
  const awaited = [fromMs, ...launches.slice(1)];
  const asked = [...askedAtMs];
  const shown: Moment[] = [];
  using screen = createScreen(await sizeOf(directory));
  for await (const { record, bytes } of readEvents(directory)) {
    if (record.type === "resize") screen.resize(record.cols, record.rows, record.seq);
    if (record.type !== "output") continue;
    screen.write(bytes, record.seq);
    const text = screen.snapshot().visibleLines.join("\n");
    const isFirstTrust = shown.length === 0 && trustShown.test(text);
    if (isFirstTrust) shown.push({ type: "shown", what: "trust", atMs: record.t });
    if (record.t >= (awaited[0] ?? Number.POSITIVE_INFINITY) && promptShown.test(text)) {
      shown.push({ type: "shown", what: "prompt", atMs: record.t });
      awaited.shift();
    }
    if (record.t >= (asked[0] ?? Number.POSITIVE_INFINITY) && permissionShown.test(text)) {
      shown.push({ type: "shown", what: "permission", atMs: record.t });
      asked.shift();
    }
    if (awaited.length === 0 && asked.length === 0) break;
  }
  return shown;
}

async function sizeOf(directory: string): Promise<{ cols: number; rows: number }> {
  for await (const { record } of readEvents(directory)) if (record.type === "started") return record;
  throw new Error(`the Event Log in ${directory} has no start`);
}
