import type { Clock, Ids } from "agent-tty/kit";
import type { CoderApi } from "./coder-api.ts";
import type { CoderCli } from "./coder-cli.ts";
import type { CheckoutParameters } from "./lease-parameters.ts";
import type { SessionToken } from "./session-token.ts";
import type { RelaySpec } from "./terminal/index.ts";
import type { TemplateWish } from "./template-plan.ts";
import type { CoderTimings } from "./timings.ts";

/** The ports that every part of the adapter needs. */
export interface CoderContext {
  url: string;
  token: SessionToken;
  api: CoderApi;
  cli: CoderCli;
  clock: Clock;
  ids: Ids;
  timings: CoderTimings;
  wish: TemplateWish;
  checkout: CheckoutParameters;
  /** Needed only when the template has several Coder workspace agents. */
  agentName: string | null;
  runDeadlineMs: number;
  inspections: InspectionOptions;
  /** Waits until this parent may create its next Coder workspace. Rejects with the signal's reason. */
  paceCreates: (signal: AbortSignal) => Promise<void>;
  terminals: TerminalOptions;
}

export interface InspectionOptions {
  /** How long a failed run's Coder workspace may be kept, in milliseconds; 0: it is not kept. */
  keepMs: number;
  /** The group of the template's organization that may use the kept Coder workspace; null: only its owner may. */
  group: string | null;
}

export interface TerminalOptions {
  /** The argv that starts `coder-terminal`; null: a plain `coder ssh -t`, whose end ends the Session. */
  relay: readonly [string, ...string[]] | null;
  limits: RelaySpec["limits"];
  /**
   * Whether the warning about a missing multiplexer was already given, so that it is reported only for the first Coder workspace.
   */
  warned: { missing: boolean };
}
