export { displayWidth, fitText, flowItems, hangingLines, wrapText, wrapWords } from "./text.ts";
export { layTable } from "./table.ts";
