import { changeBundle } from "../batch/change-bundle.ts";
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
  graceMs: 5_000,
  firstDelayMs: 60,
  maxDelayMs: 500,
} as const;

/** Constants of the bundle: the adapter's timings, and the limits of `coder-terminal`. */
const CONSTANTS = /(?:DEFAULT_TIMINGS|RELAY_LIMITS)=\{[^}]*\}/g;

export async function buildImpatientProgram(): Promise<BuiltProgram> {
  const program = await buildOwnProgram();
  const changed = new Set<string>();
  await changeBundle(program, (text) =>
    text.replaceAll(CONSTANTS, (constants) => shorten(constants, changed)),
  );
  const missed = Object.keys(PATIENCE).filter((name) => !changed.has(name));
  if (missed.length > 0) throw new Error(`the bundle has no ${missed.join(", ")}`);
  return program;
}

function shorten(constants: string, changed: Set<string>): string {
  return Object.entries(PATIENCE).reduce((text, [name, valueMs]) => {
    const member = new RegExp(`\\b${name}:[\\d.e]+`);
    if (member.test(text)) changed.add(name);
    return text.replace(member, `${name}:${valueMs}`);
  }, constants);
}
