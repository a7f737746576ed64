export { connectToParent, type ParentConnection, type ParentLookup } from "./connect-to-parent.ts";
export { controlDirectory, removeControlOf } from "./control-directory.ts";
export type { ControlErrorCode } from "./control-error.ts";
export { serveControl } from "./serve-control.ts";
