import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { stringify } from "yaml";
import { z } from "zod";

const ROOT = join(import.meta.dirname, "../..");
const RUN_LIMIT_MS = 5 * 60_000;

const path = z.string().nullable();
const evidence = z.object({
  verdict: z.string(),
  runs: z.string(),
  controls: z.string(),
  place: z.string(),
  firstBad: z.string().nullable(),
  firstFixed: z.string().nullable(),
  test: z.string().nullable(),
});
/** The fields of `afk-triage/summary@1` that the checks read. */
const summarySchema = z.object({
  schema: z.literal("afk-triage/summary@1"),
  issues: z.array(
    z.object({
      number: z.number(),
      status: z.string(),
      category: z.string().nullable(),
      outcome: z.string().nullable(),
      policy: z.array(z.string()),
      commentUrl: z.string().nullable(),
      evidence: evidence.nullable(),
      workspace: z.object({ destroyed: z.boolean() }).nullable(),
      artifacts: z.object({ eventLog: path, recording: path, verification: path, outcome: path }),
      error: z.object({ code: z.string(), message: z.string() }).nullable(),
    }),
  ),
  stranded: z.array(z.unknown()),
});
export type ProgramSummary = z.infer<typeof summarySchema>;

export interface ProgramRun {
  exitCode: number | undefined;
  /** null if stdout was not a summary. */
  summary: ProgramSummary | null;
  stdout: string;
  stderr: string;
  seconds: number;
}

export interface ProgramRequest {
  repo: string;
  /** The directory for the config file and the home. */
  directory: string;
  home: string;
  config: object;
  environment: Readonly<Record<string, string>>;
}

/** Runs `afk-triage run` as a maintainer would: the built program with a config file and environment variables. */
export async function runProgram(request: ProgramRequest): Promise<ProgramRun> {
  const config = join(request.directory, "afk-triage.yml");
  await writeFile(config, stringify(request.config));
  const program = join(ROOT, "dist/afk-triage.js");
  const argv = ["run", "--repo", request.repo, "--provider", "local", "--config", config];
  const result = await execa(process.execPath, [program, ...argv], {
    cwd: request.directory,
    env: { ...request.environment, AFK_TRIAGE_HOME: request.home },
    stdin: "ignore",
    reject: false,
    timeout: RUN_LIMIT_MS,
    // After a timeout, SIGTERM lets the program destroy its Coder workspaces first.
    killSignal: "SIGTERM",
    forceKillAfterDelay: 30_000,
  });
  const { exitCode, stdout, stderr } = result;
  return { exitCode, summary: readSummary(stdout), stdout, stderr, seconds: result.durationMs / 1_000 };
}

function readSummary(stdout: string): ProgramSummary | null {
  try {
    return summarySchema.parse(JSON.parse(stdout));
  } catch {
    return null;
  }
}
