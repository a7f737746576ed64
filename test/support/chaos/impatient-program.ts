import { changeConstants } from "../batch/change-bundle.ts";
import { type BuiltProgram, buildOwnProgram } from "../batch/program.ts";

/**
 * The built program with the Coder adapter's waits cut down to what suits a deployment on loopback: nothing else of the
 * text that is published is changed. Its patience with single requests and commands stays long enough for a busy machine.
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
  // The Coder workspace agent's own 120 s, less this: one second.
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
