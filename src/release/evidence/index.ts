export { collectEvidence, type EvidencePorts, type EvidenceRequest } from "./collect-evidence.ts";
export { verificationEnvironment } from "./verification-environment.ts";
export { type CommandEvidence, evidenceSchema, type VerificationEvidence } from "./evidence.ts";
