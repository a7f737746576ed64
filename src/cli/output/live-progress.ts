import { createLogUpdate } from "log-update";
import { shownText } from "../../github/index.ts";
import type { DisplayStatuses } from "./display-statuses.ts";
import {
  advanceProgress,
  describeEvent,
  emptyProgress,
  type Progress,
  progressLines,
  type ProgressSettings,
} from "./progress.ts";

const REDRAW_MS = 250;
const STATUS_MS = 1_000;

export interface LiveProgressSettings extends ProgressSettings {
  columns: () => number;
  statuses: () => DisplayStatuses;
}

/** Returns a live region on a terminal's stderr, redrawn a few times a second. Finished events scroll away above it. */
export function liveProgress(settings: LiveProgressSettings): Progress {
  const update = createLogUpdate(process.stderr);
  let state = emptyProgress;
  let timer: Disposable | undefined;
  let statuses: DisplayStatuses = new Map();
  let readAtMs = Number.NEGATIVE_INFINITY;
  const redraw = (): void => {
    const nowMs = settings.clock.monotonicMs();
    if (nowMs - readAtMs >= STATUS_MS) [statuses, readAtMs] = [settings.statuses(), nowMs];
    const view = { nowMs, parallelism: settings.parallelism, columns: settings.columns(), statuses };
    update(shownText(progressLines(state, view).join("\n")));
    timer = settings.clock.schedule(REDRAW_MS, redraw);
  };
  redraw();
  return {
    observe: (event) => {
      state = advanceProgress(state, event, settings.clock.monotonicMs());
      const line = describeEvent(event);
      if (line === null) return;
      update.clear();
      settings.write(line);
    },
    [Symbol.dispose]: () => {
      timer?.[Symbol.dispose]();
      update.clear();
      update.done();
    },
  };
}
