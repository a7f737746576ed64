import { changeBundle, changeConstants } from "./change-bundle.ts";
import { type BuiltProgram, buildOwnProgram } from "./program.ts";

/** Between two looks at a Coder deployment, which on loopback is ready at once. */
const PAUSES = { settleMs: 40, pollMs: 40, shellRetryMs: 60, deleteRetryMs: 60 } as const;

/**
 * The built program with shorter pauses, for tests that would only sit them out: nothing else of the text that is published
 * is changed, and no limit, so that a busy machine fails nothing. Only what a Triage Agent gets after a Ctrl-C is a limit;
 * the fixtures here either end at once or never heed it.
 */
export async function buildBriskProgram(): Promise<BuiltProgram> {
  const program = await buildOwnProgram();
  await changeConstants(program, /DEFAULT_TIMINGS=\{[^}]*\}/g, PAUSES);
  await changeBundle(program, (text) =>
    text.replaceAll(/\bPROMPT_PATIENCE_MS(\d*)=3e3\b/g, "PROMPT_PATIENCE_MS$1=300"),
  );
  return program;
}
