import type { AppExaminer } from "../../github/index.ts";
import type { CoderQuota } from "../../workspaces/index.ts";

/** The questions of `doctor --fleet`. Each may reject with an OperationalError. */
export interface FleetProbes {
  /** null: AFK_TRIAGE_DATABASE_URL is not set, so the queue is a SQLite file of the home. */
  database: ((signal: AbortSignal) => Promise<FleetDatabaseFacts>) | null;
  /** null: signed in with a token, which has no installations and no webhook of its own. */
  app: (() => AppExaminer) | null;
  /** null: the provider is not Coder. */
  quota: ((signal: AbortSignal) => Promise<CoderQuota | null>) | null;
}

/** PostgreSQL's facts about itself and the fleet's tables. */
export interface FleetDatabaseFacts {
  /** E.g. 150018 for 15.18. */
  versionNumber: number;
  /** Names of tables that the first worker has yet to make. */
  missingTables: readonly string[];
  /** Connections that anybody may hold at once, those that only superusers may take left out. */
  maxConnections: number;
  usedConnections: number;
  /** Workers that are alive. */
  workers: number;
  /** The server's clock, in milliseconds since the Unix epoch. */
  nowMs: number;
}

/** Facts that need no probe. */
export interface FleetFacts {
  /** Connections of one worker with these settings. */
  connectionsOfWorker: number;
  hasWebhookSecret: boolean;
  parallelism: number;
}
