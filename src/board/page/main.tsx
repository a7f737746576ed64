import { render } from "preact";
import { App } from "./app.tsx";
import { browserClock, writeSpanStylesAsProperties } from "./browser/index.ts";
import { type BoardData, liveBoardData, reportBoardData } from "./data/index.ts";
import { BoardModel } from "./model/index.ts";

/** `<html data-report="FILE">` makes the page a static report; otherwise it uses the server it came from. */
function boardData(): BoardData {
  const { report } = document.documentElement.dataset;
  return report === undefined ? liveBoardData(browserClock) : reportBoardData(report);
}

writeSpanStylesAsProperties();
const model = new BoardModel(boardData(), browserClock);
void model.start();
model.tick();
const root = document.querySelector("#board");
if (root !== null) render(<App model={model} />, root);
