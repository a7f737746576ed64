import { captureScreenshot, type ScreenshotOptions } from "../../capture/index.ts";
import type { Home } from "../../home/index.ts";
import { replayDetailedSnapshot } from "../../replay/index.ts";
import { requireEvent } from "../at-seq.ts";
import type { CommandResult } from "../report.ts";
import { skippedDamage } from "../skipped-damage.ts";

/**
 * Takes a screenshot of a Session. It reads only the Event Log, so it works for live, exited and destroyed Sessions alike (A14).
 */
export async function screenshot(
  home: Home,
  sessionId: string,
  options: ScreenshotOptions & { atSeq: number | null },
): Promise<CommandResult> {
  const { atSeq, ...look } = options;
  if (atSeq !== null) await requireEvent(home, sessionId, atSeq);
  const { onDamage, fields, warnings } = skippedDamage(await home.readManifest(sessionId));
  const at = atSeq === null ? { onDamage } : { atSeq, onDamage };
  const snapshot = await replayDetailedSnapshot(home, sessionId, at);
  const result = await captureScreenshot(home, sessionId, snapshot, look);
  return {
    result: { ...result, ...fields() },
    text: result.artifactPath,
    warnings: warnings(),
  };
}
