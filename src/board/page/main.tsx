import { render } from "preact";
import { App } from "./app.tsx";
import {
  afterFirstView,
  browserClock,
  firstViewIsDrawn,
  writeSpanStylesAsProperties,
} from "./browser/index.ts";
import { type BoardData, liveBoardData, reportBoardData } from "./data/index.ts";
import { BoardModel, noFilters, route } from "./model/index.ts";

/** The maximum time, in milliseconds, that everything else waits for the first view. */
const LONGEST_FIRST_VIEW_MS = 1_000;

/**
 * Returns the source of the page's data. `<html data-report="FILE">` makes the page a static report; otherwise the page uses the
 * server that sent it.
 */
function boardData(): BoardData {
  const { report } = document.documentElement.dataset;
  return report === undefined ? liveBoardData(browserClock) : reportBoardData(report);
}

writeSpanStylesAsProperties();
const { value: first } = route;
const model = new BoardModel(
  boardData(),
  browserClock,
  first.view === "overview" ? first.filters : noFilters,
);
const isTerminalFirst = model.data.source === "live" && first.view === "run" && first.tab === "terminal";
if (isTerminalFirst) {
  browserClock.schedule(LONGEST_FIRST_VIEW_MS, firstViewIsDrawn);
  void model.startAfter(afterFirstView());
} else {
  firstViewIsDrawn();
  void model.start();
}
model.tick();
const root = document.querySelector("#board");
if (root !== null) render(<App model={model} />, root);
