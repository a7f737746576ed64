export { describeEvidence, describeFact } from "./describe-evidence.ts";
export { type EvidenceKind, findEvidence, type RunEvidence } from "./run-evidence.ts";
export { parsed, verificationDocument } from "./verification-document.ts";
