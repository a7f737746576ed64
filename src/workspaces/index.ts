export type * from "./model-meter.ts";
export type * from "./port.ts";
export {
  type FileToWrite,
  type WorkspaceFile,
  isTooSlow,
  readWorkspaceFile,
  readWorkspaceFileAnd,
  writeFilesForProgram,
  writeWorkspaceFile,
  writeWorkspaceFiles,
} from "./files.ts";
export { /** @tools Used by scripts/bench. */ confinedExec, createLocalProvider } from "./local/index.ts";
export { parentIdentity, type ParentSystem, parentState } from "./parent-identity.ts";
export { applyReap, planReap, type Reaped, type ReapPlan } from "./reaper.ts";
export { isWorkspaceLoss, throughLoss } from "./through-loss.ts";
export {
  isNameUnderPrefix,
  isWorkspaceName,
  verificationName,
  workspaceName,
  workspaceNamePrefixes,
} from "./workspace-name.ts";
export {
  type CoderProviderOptions,
  type CoderQuestions,
  type CoderQuota,
  type CoderTimings,
  createCoderProvider,
  createCoderQuestions,
  createModelMeter,
  type TerminalLimits,
  type TokenSource,
} from "./coder/index.ts";
