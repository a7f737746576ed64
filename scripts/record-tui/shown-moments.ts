import type { Moment } from "../../test/support/tui-recordings/index.ts";
import { readEvents } from "agent-tty";
import { createScreen } from "agent-tty/testing";
import type { PreparedTool } from "./prepare-tool.ts";

/** When the question for trust and the prompt were first on the screen, found by rendering the Session's output again. */
export async function shownMoments(
  directory: string,
  { promptShown, trustShown }: PreparedTool,
  inputs: readonly Moment[],
): Promise<Moment[]> {
  // What is painted like a prompt before that question is answered is none.
  const promptFromMs = inputs.find((one) => one.type === "input" && one.means === "trust_accept")?.atMs ?? 0;
  const found = new Map<"prompt" | "trust", number>();
  using screen = createScreen(await sizeOf(directory));
  for await (const { record, bytes } of readEvents(directory)) {
    if (record.type === "resize") screen.resize(record.cols, record.rows, record.seq);
    if (record.type !== "output") continue;
    screen.write(bytes, record.seq);
    const text = screen.snapshot().visibleLines.join("\n");
    if (!found.has("trust") && trustShown.test(text)) found.set("trust", record.t);
    if (record.t >= promptFromMs && promptShown.test(text)) {
      found.set("prompt", record.t);
      break;
    }
  }
  return [...found].map(([what, atMs]): Moment => ({ type: "shown", what, atMs }));
}

async function sizeOf(directory: string): Promise<{ cols: number; rows: number }> {
  for await (const { record } of readEvents(directory)) if (record.type === "started") return record;
  throw new Error(`the Event Log in ${directory} has no start`);
}
