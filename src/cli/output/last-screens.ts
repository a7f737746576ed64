import { basename, dirname } from "node:path";
import { type Home, replaySession } from "agent-tty";
import { issueKey, plainText, redactSecrets } from "../../github/index.ts";
import type { BatchSummary } from "../../triage/index.ts";

/** The last terminal screen of each failed Triage Run as plain text, by `owner/repo#n`. */
export type LastScreens = ReadonlyMap<string, string>;

const MAX_SCREENS = 10;
const MAX_LINES = 40;
const MAX_LINE_CHARACTERS = 200;

/**
 * Returns the last screens of failed Triage Runs. A run has none if nothing was kept (a quarantined run) or nothing can be read.
 */
export async function lastScreens(summary: BatchSummary, sessions: Home): Promise<LastScreens> {
  const screens = new Map<string, string>();
  for (const issue of summary.issues) {
    const { eventLog } = issue.artifacts;
    if (issue.status !== "failed" || eventLog === null || screens.size === MAX_SCREENS) continue;
    const sessionId = basename(dirname(eventLog));
    const lines = await replaySession(sessions, sessionId).then(
      ({ visibleLines }) => visibleLines,
      () => [],
    );
    const text = shownText(lines);
    if (text !== "") screens.set(issueKey(issue), text);
  }
  return screens;
}

function shownText(lines: readonly string[]): string {
  const text = redactSecrets(plainText(lines.join("\n"))).trimEnd();
  return text
    .split("\n")
    .slice(-MAX_LINES)
    .map((line) => line.slice(0, MAX_LINE_CHARACTERS))
    .join("\n");
}
