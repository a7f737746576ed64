import { createLogUpdate } from "log-update";
import {
  advanceProgress,
  describeEvent,
  emptyProgress,
  type Progress,
  progressLines,
  type ProgressSettings,
} from "./progress.ts";

const REDRAW_MS = 250;

/** A live region on a terminal's stderr, redrawn a few times a second; what has happened scrolls away above it. */
export function liveProgress(settings: ProgressSettings & { columns: () => number }): Progress {
  const update = createLogUpdate(process.stderr);
  let state = emptyProgress;
  let timer: Disposable | undefined;
  const redraw = (): void => {
    const view = { nowMs: settings.clock.monotonicMs(), parallelism: settings.parallelism };
    update(progressLines(state, { ...view, columns: settings.columns() }).join("\n"));
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
