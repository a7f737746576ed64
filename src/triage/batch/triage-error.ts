import type { AuditErrorCode } from "../audit/index.ts";
import type { VerificationErrorCode } from "../../evidence/index.ts";
import type { ReproductionErrorCode } from "../reproductions/index.ts";

/** The codes of failures of the batch's own steps; providers, GitHub and the engine have their own codes. */
export type TriageErrorCode =
  | AuditErrorCode
  | ReproductionErrorCode
  | VerificationErrorCode
  | "CHECKOUT_FAILED"
  | "CHECKOUT_BUNDLE_FAILED"
  | "CHECKOUT_SETUP_FAILED"
  | "CONTROL_FILE_FAILED"
  | "TRIAGE_AGENT_UNAVAILABLE"
  | "TRIAGE_AGENT_FAILED"
  /** The gateway or vendor of the model refuses every request until its budget is renewed. */
  | "MODEL_BUDGET_SPENT"
  | "TRIAGE_AGENT_BLOCKED"
  /** A version of its TUI shows a dialog that has no known answer. */
  | "TRIAGE_AGENT_DIALOG_UNKNOWN"
  | "TRIAGE_AGENT_LOST"
  | "PLACE_TAKEN"
  | "SECRET_LEAKED"
  /** The thread that searches output for secrets died. */
  | "CLEANING_FAILED"
  | "PUBLICATION_MISMATCH"
  | "AUDIT_LOG_MISSING"
  | "RUN_NOT_FOUND"
  /** A failure of the parent's own machine: its disk, its permissions, its limits. */
  | "HOME_FAILED"
  | "RUN_DEADLINE"
  /** The parent was killed, and a later one settled its Triage Run. */
  | "PARENT_LOST"
  /** A stored reproduction cannot be run, or proves nothing. */
  | "VERIFICATION_IMPOSSIBLE"
  | "REPRODUCTION_UNPROVEN"
  | "RUN_INTERNAL_ERROR";
