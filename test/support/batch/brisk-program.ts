import { changeBundle, changeConstants } from "./change-bundle.ts";
import { type BuiltProgram, buildOwnProgram } from "./program.ts";

/** Pauses between two requests to a Coder deployment, which is ready at once on loopback. */
const PAUSES = { settleMs: 40, pollMs: 40, shellRetryMs: 60, deleteRetryMs: 60 } as const;

/**
 * Builds the program with shorter pauses, for tests that would only wait for them. Nothing else of the published text is changed,
 * and no limit, so that no test fails on a busy machine. The only exception is the time that a Triage Agent gets after a Ctrl-C;
 * the fixtures either exit at once or ignore it.
 */
export async function buildBriskProgram(): Promise<BuiltProgram> {
  const program = await buildOwnProgram();
  await changeConstants(program, /DEFAULT_TIMINGS=\{[^}]*\}/g, PAUSES);
  await changeBundle(program, (text) =>
    text.replaceAll(/\bPROMPT_PATIENCE_MS(\d*)=3e3\b/g, "PROMPT_PATIENCE_MS$1=300"),
  );
  return program;
}
