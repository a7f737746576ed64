export { type EvidenceSummary, evidenceMarker, evidenceSummary, gradeLine } from "./grade-text.ts";
