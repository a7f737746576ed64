export { type CleanedResidue, cleanDemoResidue } from "./clean-residue.ts";
export { type DemoResidence, type DemoResidenceRequest, openDemoResidence } from "./open-residence.ts";
