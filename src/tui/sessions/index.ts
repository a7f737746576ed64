export { toolMark, toolOfCommand, toolOfMark, type TrackedTool, versionInBanner } from "./tracked-tool.ts";
