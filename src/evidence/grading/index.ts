export {
  type EvidenceSummary,
  evidenceMarker,
  evidenceSummary,
  gradeLine,
  withFindings,
} from "./grade-text.ts";
