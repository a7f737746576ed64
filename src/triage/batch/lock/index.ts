export { deservesFreshWorkspace, haltReason } from "./clean-attempts.ts";
export { destroyWorkspace, holdWorkspace } from "./hold-workspace.ts";
