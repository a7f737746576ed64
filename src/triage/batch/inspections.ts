import type { IssueRef } from "../../github/index.ts";
import type { WorkspaceIdentity } from "../../workspaces/index.ts";

/** The Coder workspaces of failed runs that this batch keeps for people. Disposal waits for deletions that have begun. */
export interface Inspections extends AsyncDisposable {
  /** Counts those that stand already, whoever kept them. */
  noteEarlier(count: number): void;
  /** The end of the inspection as an ISO time; null: it is not kept, and its caller destroys it. */
  keep(workspace: WorkspaceIdentity, ref: IssueRef, signal: AbortSignal): Promise<string | null>;
}
