export { applyInit, type InitPorts } from "./apply-init.ts";
export { installedIntegrity } from "./installed-integrity.ts";
export { lineDiff } from "./line-diff.ts";
export * from "./plan-init.ts";
export { triageLabels } from "./triage-labels.ts";
export { CONFIG_PATH, configText, SWEEP_PATH, WORKFLOW_PATH, workflowText } from "./wanted-files.ts";
