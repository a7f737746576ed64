export { addControlCommands } from "./control.ts";
export { addDemoCommand } from "./demo.ts";
export { addReapCommand } from "./reap.ts";
export { addRunCommand } from "./run.ts";
export { addStatusCommands } from "./status.ts";
export { addTrackCommand } from "./track.ts";
export { addUndoCommand } from "./undo.ts";
export { addVerifyCommand } from "./verify.ts";
