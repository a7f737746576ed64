export { type CoderStandIn, type CoderStandInOptions, startCoderStandIn } from "./coder-stand-in.ts";
export { type CoderFaults, LEASE_PARAMETERS, type TemplateSpec } from "./stand-in-model.ts";
export { processesCarrying } from "./stand-in-processes.ts";
