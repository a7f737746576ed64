import type { Clock, Ids } from "agent-tty/kit";
import type { CoderApi } from "./coder-api.ts";
import type { CoderCli } from "./coder-cli.ts";
import type { CheckoutParameters } from "./lease-parameters.ts";
import type { TemplateWish } from "./template-plan.ts";
import type { CoderTimings } from "./timings.ts";

/** What every part of the adapter needs of the outside. */
export interface CoderContext {
  url: string;
  token: string;
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
}
