import type { IssueRef } from "../github/index.ts";
import type { BatchEvent, IssueSummary } from "../triage/index.ts";
import type { SpentBudget } from "./spend/index.ts";

/** Events of a fleet worker for its observers. Observers render; nothing they do changes a visit. */
export type FleetEvent =
  | {
      type: "fleet-started";
      queue: "sqlite" | "postgresql";
      repositories: number;
      parallelism: number;
      /** null: it receives no webhooks and relies on the poll. */
      webhookPort: number | null;
      /** The port of health, readiness and metrics; null: not served. */
      opsPort: number | null;
      /** The port of the board over the fleet; null: not served. */
      boardPort: number | null;
    }
  /** The GitHub App is not installed anywhere yet; the worker asks GitHub again after `againMs` milliseconds. */
  | { type: "no-installation"; againMs: number }
  | { type: "visit-started"; ref: IssueRef; attempt: number }
  /**
   * The same `reason` as in the summary of a batch. `againMs`: milliseconds until the issue is visited again; null: it is visited
   * when GitHub reports another change of it.
   */
  | {
      type: "visit-finished";
      ref: IssueRef;
      status: IssueSummary["status"];
      reason: string;
      usd: number;
      tokens: number;
      againMs: number | null;
    }
  /** A monthly budget is spent, so the issue waits. */
  | ({ type: "budget-spent"; ref: IssueRef; againMs: number } & SpentBudget)
  /** An event of the batch that a visit runs. */
  | { type: "batch"; event: BatchEvent }
  | { type: "polled"; repositories: number }
  | { type: "draining"; reason: string; graceMs: number }
  | { type: "failure"; message: string };

export type FleetObserver = (event: FleetEvent) => void;
