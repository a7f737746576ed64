export type * from "./port.ts";
export { readWorkspaceFile, type WorkspaceFile, writeWorkspaceFile } from "./files.ts";
export { createLocalProvider, type LocalProviderOptions } from "./local/index.ts";
export { parentIdentity, type ParentSystem, parentState } from "./parent-identity.ts";
export {
  applyReap,
  type DestroyReason,
  type KeepReason,
  planReap,
  type ReapContext,
  type Reaped,
  type ReapPlan,
} from "./reaper.ts";
export { shellQuote } from "./shell-quote.ts";
export {
  isNameUnderPrefix,
  isWorkspaceName,
  workspaceName,
  workspaceNamePrefixes,
} from "./workspace-name.ts";
