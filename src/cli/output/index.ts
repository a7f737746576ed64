export { createReadyTimes } from "./ready-times.ts";
export { type LastScreens, lastScreens } from "./last-screens.ts";
export { jobSummary, writeActionsFiles } from "./actions-files.ts";
export { exitCodeOfBatch } from "./batch-exit-code.ts";
export { chooseProgress } from "./choose-progress.ts";
export { type DisplayStatuses, displayStatusesOf } from "./display-statuses.ts";
export { echoLogOf } from "./echo-log.ts";
export { inertJson } from "../../github/index.ts";
export { formatDuration } from "./format-duration.ts";
export {
  advanceProgress,
  describeEvent,
  describeEventPlainly,
  emptyProgress,
  etaMs,
  progressLines,
  warningText,
} from "./progress.ts";
export { settingLines, shownSettingsOf } from "./setting-lines.ts";
export { reportFailure } from "./report-failure.ts";
export { createPaint, usesColour } from "./paint.ts";
export { fateOf } from "./run-fate.ts";
export { runBlock, runLine, type ShownRun } from "./run-block.ts";
export { type Output, processOutput, proseLines } from "./streams.ts";
export { verifiedLines } from "./verified-lines.ts";
export { dryRunTable, summaryTable } from "./summary-table.ts";
export { sweepDocument } from "./sweep-document.ts";
export { sweepPlanTable, sweepTable } from "./sweep-table.ts";
export { fleetProgress } from "./fleet-progress.ts";
export { fleetStatusDocument, fleetStatusLines } from "./fleet-status.ts";
