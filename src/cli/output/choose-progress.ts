import type { Clock } from "agent-tty/kit";
import type { BatchSettings } from "../../triage/index.ts";
import type { DisplayStatuses } from "./display-statuses.ts";
import { liveProgress } from "./live-progress.ts";
import { jsonProgress, plainProgress, type Progress } from "./progress.ts";
import type { Output } from "./streams.ts";

/**
 * Returns the progress display: JSON lines with `--json`, a live region on a terminal that can be redrawn, otherwise (a log file,
 * Actions, `TERM=dumb`) plain lines.
 */
export function chooseProgress(
  settings: Pick<BatchSettings, "parallelism">,
  clock: Clock,
  view: { output: Output; asJson: boolean },
  statuses: () => DisplayStatuses,
): Progress {
  const { output } = view;
  const base = { clock, parallelism: settings.parallelism, write: (line: string) => output.line(line) };
  if (view.asJson) return jsonProgress(clock, (event) => output.event(event));
  return output.isRedrawable
    ? liveProgress({ ...base, columns: () => output.columns, statuses })
    : plainProgress({ ...base, statuses });
}
