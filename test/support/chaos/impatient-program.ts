import { changeConstants } from "../batch/change-bundle.ts";
import { type BuiltProgram, buildOwnProgram } from "../batch/program.ts";

/**
 * The built program with the Coder adapter's waits shortened for a deployment on loopback; nothing else of the published text is
 * changed. The limits for single requests and commands stay long enough for a busy machine.
 */
const PATIENCE = {
  retryForMs: 1_500,
  firstAnswerMs: 1_500,
  retryFirstDelayMs: 30,
  retryMaxDelayMs: 200,
  settleMs: 40,
  pollMs: 40,
  pendingLimitMs: 1_000,
  buildLimitMs: 1_500,
  // Together with the Coder workspace agent's own 120 s this leaves one second.
  connectMarginMs: -119_000,
  startupLimitMs: 1_500,
  shellRetryMs: 60,
  cliTimeoutMs: 8_000,
  deleteLimitMs: 8_000,
  deleteRetryMs: 60,
  exchangeFirstDelayMs: 60,
  exchangeMaxDelayMs: 500,
  firstDelayMs: 60,
  maxDelayMs: 500,
} as const;

/** Constants of the bundle: the adapter's timings, and the limits of `coder-terminal`. */
const CONSTANTS = /(?:DEFAULT_TIMINGS|RELAY_LIMITS)=\{[^}]*\}/g;

export async function buildImpatientProgram(): Promise<BuiltProgram> {
  const program = await buildOwnProgram();
  await changeConstants(program, CONSTANTS, PATIENCE);
  return program;
}
