import { afkTriage } from "./families/afk-triage/index.ts";
import { displayStatus } from "./families/display-status.ts";
import { lifecycle } from "./families/lifecycle/index.ts";
import { renderWait } from "./families/render-wait.ts";
import { runState } from "./families/run-state/index.ts";
import { sessionStatusPolicy } from "./families/session-status-policy.ts";
import {
  agentHandle,
  ccmanager,
  readinessScreens,
  tuiAvailability,
  tuiDetector,
  tuiRecovery,
  tuiRegistry,
  tuiReplay,
  tuiSession,
} from "./families/tui/index.ts";
import { waitedRun } from "./families/waited-run.ts";
import type { Family } from "./family.ts";

/** The covered families of cases. A new family needs a module and a line here. */
export const families: readonly Family[] = [
  sessionStatusPolicy,
  renderWait,
  waitedRun,
  afkTriage,
  displayStatus,
  lifecycle,
  runState,
  agentHandle,
  tuiAvailability,
  tuiDetector,
  tuiRecovery,
  tuiRegistry,
  tuiReplay,
  tuiSession,
  ccmanager,
  readinessScreens,
];
