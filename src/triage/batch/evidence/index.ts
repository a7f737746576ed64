export { readFirewallLog } from "./read-firewall-log.ts";
export { harvestPatch, readOutcomeAndHarvest } from "./harvest-patch.ts";
export { cleanLater, evidencePorts, keepRecording, keepScreenshot, searchEvidence } from "./keep-evidence.ts";
export { withholdEvidence } from "./withhold-evidence.ts";
