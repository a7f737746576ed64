import { captureScreenshot, type ScreenshotOptions } from "../../capture/index.ts";
import type { Home } from "../../home/index.ts";
import { replayDetailedSnapshot } from "../../replay/index.ts";
import { requireEvent } from "../at-seq.ts";
import type { CommandResult } from "../report.ts";

/** A14: uses only the Event Log, so it works for live, exited and destroyed Sessions alike. */
export async function screenshot(
  home: Home,
  sessionId: string,
  options: ScreenshotOptions & { atSeq: number | null },
): Promise<CommandResult> {
  const { atSeq, ...look } = options;
  if (atSeq !== null) await requireEvent(home, sessionId, atSeq);
  const snapshot = await replayDetailedSnapshot(home, sessionId, atSeq === null ? {} : { atSeq });
  const result = await captureScreenshot(home, sessionId, snapshot, look);
  return { result, text: result.artifactPath };
}
