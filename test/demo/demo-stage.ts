import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createSession, openHome } from "agent-tty";
import { systemClock as clock, systemIds } from "agent-tty/kit";
import { execa } from "execa";
import { createProductRepository, type DemoIssue } from "../../src/demo/index.ts";
import type { Reproduction } from "../../src/triage/index.ts";
import { buildProgram } from "../support/batch/program.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const ROOT = join(import.meta.dirname, "../..");

export interface AgentRun {
  exitCode: number | undefined;
  /** Parsed JSON, or null if no outcome was written. */
  outcome: unknown;
  stdout: string;
  stderr: string;
}

/** Opens the built demo Triage Agent, and the product it examines. */
export async function openStage() {
  const directory = await temporaryDirectory();
  const built = await buildProgram();
  const program = join(built.directory, "demo-triage-agent.js");
  const template = join(ROOT, "templates/demo-product");
  const repository = join(directory.path, "product");
  await createProductRepository({ template, directory: repository }, new AbortController().signal);
  const cloned = join(directory.path, "cloned");
  await execa("git", ["clone", "-q", "--template=", repository, cloned]);
  let clones = 0;

  /** Copies a clone, because git would start five processes for each clone. */
  const clone = async () => {
    clones += 1;
    const target = join(directory.path, `run-${clones}`);
    await mkdir(join(target, "control"), { recursive: true });
    await cp(cloned, join(target, "checkout"), { recursive: true });
    return target;
  };

  const environment = (home: string) => ({
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    AFK_TRIAGE_ISSUE_FILE: join(home, "control/issue.json"),
    AFK_TRIAGE_OUTCOME_FILE: join(home, "control/outcome.json"),
  });

  return {
    program,
    clone,
    /** Runs the program on a file with this content, in a clean checkout with a home of its own. */
    async triage(issueFile: string, home: string): Promise<AgentRun> {
      await writeFile(join(home, "control/issue.json"), issueFile);
      const result = await execa(process.execPath, [program], {
        cwd: join(home, "checkout"),
        extendEnv: false,
        env: environment(home),
        reject: false,
        timeout: 60_000,
      });
      const written = await readFile(join(home, "control/outcome.json"), "utf8").catch(() => "null");
      return {
        exitCode: result.exitCode,
        outcome: JSON.parse(written) as unknown,
        stdout: result.stdout,
        stderr: result.stderr,
      };
    },
    /** Runs the program on a PTY. Returns the screen after it has ended. */
    async watch(issueFile: string, home: string, size: { cols: number; rows: number }): Promise<string[]> {
      await writeFile(join(home, "control/issue.json"), issueFile);
      const sessions = await openHome({ directory: join(home, "sessions"), clock, ids: systemIds(clock) });
      await using session = await createSession(sessions, {
        command: [process.execPath, program],
        cwd: join(home, "checkout"),
        env: environment(home),
        ...size,
      });
      await session.exited;
      const { visibleLines } = await session.snapshot();
      return visibleLines.filter((line) => line !== "");
    },
    /** Returns how many of `runs` runs of the script match, each in a clean checkout, all in the same home. */
    async verify(reproduction: Reproduction, home: string, runs: number): Promise<number> {
      let matched = 0;
      for (let run = 0; run < runs; run += 1) {
        const { checkout, script } = {
          checkout: join(await clone(), "checkout"),
          script: join(home, "verify.sh"),
        };
        await writeFile(script, reproduction.script ?? "");
        const result = await execa("sh", [script], {
          cwd: checkout,
          extendEnv: false,
          env: environment(home),
          all: true,
          reject: false,
          timeout: 60_000,
        });
        const { exitCode, outputContains } = reproduction.expect ?? { exitCode: null, outputContains: null };
        const isMatch =
          (exitCode === null || result.exitCode === exitCode) && result.all.includes(outputContains ?? "");
        if (isMatch) matched += 1;
      }
      return matched;
    },
    [Symbol.asyncDispose]: async () => {
      await directory[Symbol.asyncDispose]();
      await built[Symbol.asyncDispose]();
    },
  };
}

/** Returns the issue file that the parent would write for a demo issue. */
export function issueFileOf(issue: DemoIssue): string {
  return JSON.stringify({
    schema: "afk-triage/issue@1",
    repo: "tidytext/tidytext",
    number: 7,
    title: issue.title,
    body: issue.body,
    author: issue.author,
    labels: issue.labels,
    comments: issue.comments.map(({ author, body }) => ({
      author,
      isReporter: author === issue.author,
      createdAt: "2025-02-03T06:00:00Z",
      body,
    })),
    established: [],
    flags: [],
  });
}
