import type { SessionManifest } from "../home/index.ts";

export interface DashboardView {
  sessions: readonly Pick<SessionManifest, "sessionId" | "name" | "status" | "command" | "createdAt">[];
  selectedId: string | null;
  /** Visible lines of the selected Session. */
  screen: readonly string[];
}

const MAX_LISTED = 8;
const SELECTED = "\x1b[7m";
const PLAIN = "\x1b[0m";

/** Returns the dashboard as lines for a terminal of that size: the Sessions, then the screen of the selected one. */
export function dashboardLines(view: DashboardView, size: { cols: number; rows: number }): string[] {
  const selectedAt = view.sessions.findIndex(({ sessionId }) => sessionId === view.selectedId);
  const from = Math.max(0, Math.min(selectedAt - MAX_LISTED + 1, view.sessions.length - MAX_LISTED));
  const listed = view.sessions.slice(from, from + MAX_LISTED).map((session) => {
    const what = session.name ?? session.command.join(" ");
    const row = fit(`${session.sessionId}  ${session.status.padEnd(10)}  ${what}`, size.cols);
    return session.sessionId === view.selectedId ? `${SELECTED}${row}${PLAIN}` : row;
  });
  const title = fit(`${view.sessions.length} active Sessions: arrows select, q leaves`, size.cols);
  const head = [title, ...listed, "─".repeat(size.cols)];
  const screen = view.screen.map((line) => fit(line, size.cols));
  return [...head, ...screen].slice(0, size.rows);
}

/**
 * Returns the text with control characters replaced by spaces, cut to `cols` characters. Names and screens come from a program
 * and must not act on this terminal.
 */
function fit(text: string, cols: number): string {
  return text.replaceAll(/[\x00-\x1f\x7f-\x9f]/g, " ").slice(0, cols);
}
