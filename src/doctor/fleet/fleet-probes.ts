import type { AppExaminer } from "../../github/index.ts";
import type { CoderQuota } from "../../workspaces/index.ts";

/** The queries of `doctor --fleet`. Each may reject with an OperationalError. */
export interface FleetProbes {
  /** null: AFK_TRIAGE_DATABASE_URL is not set, so the queue is a SQLite file of the home. */
  database: ((signal: AbortSignal) => Promise<FleetDatabaseFacts>) | null;
  /** null: the credential is a token, which has neither installations nor a webhook. */
  app: (() => AppExaminer) | null;
  /** null: the provider is not Coder. */
  quota: ((signal: AbortSignal) => Promise<CoderQuota | null>) | null;
}

/** Facts about the PostgreSQL server and the fleet's tables. */
export interface FleetDatabaseFacts {
  /** E.g. 150018 for 15.18. */
  versionNumber: number;
  /** Names of tables that the first worker has yet to create. */
  missingTables: readonly string[];
  /** The maximum number of connections at once, without those reserved for superusers. */
  maxConnections: number;
  usedConnections: number;
  /** The number of workers that are alive. */
  workers: number;
  /** The server's clock, in milliseconds since the Unix epoch. */
  nowMs: number;
}

/** Facts that need no probe. */
export interface FleetFacts {
  /** The number of connections of one worker with these settings. */
  connectionsOfWorker: number;
  hasWebhookSecret: boolean;
  parallelism: number;
}
