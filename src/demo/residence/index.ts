export { cleanDemoResidue } from "./clean-residue.ts";
export { openDemoResidence } from "./open-residence.ts";
