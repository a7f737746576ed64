import type { Home } from "../../home/index.ts";
import { collectGarbage, type GcOptions } from "../../lifecycle/index.ts";
import { countOf } from "../../kit/index.ts";
import type { CommandResult } from "../report.ts";

/** Removes Collectable Sessions (A22) and reports for every other one why it is kept. */
export async function gc(home: Home, options: GcOptions): Promise<CommandResult> {
  const { removed, kept } = await collectGarbage(home, options);
  const verb = options.isDryRun ? "would remove" : "removed";
  const lines = [
    `${verb} ${countOf(removed.length, "Session")}, kept ${kept.length}`,
    ...kept
      .filter(({ reason }) => reason !== "active")
      .map(
        ({ sessionId, reason, detail }) => `${sessionId}  ${reason}${detail === null ? "" : `: ${detail}`}`,
      ),
  ];
  return { result: { dryRun: options.isDryRun, removed, kept }, text: lines.join("\n") };
}
