export { displayWidth, fitText, flowItems, hangingLines, wrapText } from "./text.ts";
export { layTable } from "./table.ts";
