import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { execa } from "execa";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { evaluate } from "./evaluate.ts";
import { fileNamed, ROOT } from "./workflow-files.ts";

const ACTION = fileNamed(".github/actions/triage/action.yml").document;
const PATH_WITHOUT_CODER = (process.env["PATH"] ?? "")
  .split(":")
  .filter((directory) => !existsSync(join(directory, "coder")));

type Values = Readonly<Record<string, string>>;

interface StepResult {
  exitCode: number;
  stdout: string;
  stderr: string;
}

interface RunningStep {
  stderr: Readable;
  kill: (signal: NodeJS.Signals) => void;
  ended: Promise<StepResult>;
}

export interface ActionRunner extends AsyncDisposable {
  path: (name: string) => string;
  /** Starts the step with that id and these inputs, as the runner would. */
  start: (id: string, inputs: Values, env?: Values) => Promise<RunningStep>;
  step: (id: string, inputs: Values, env?: Values) => Promise<StepResult>;
  outputs: () => Promise<Values>;
  /** Returns how the stand-in of afk-triage was started. */
  started: () => Promise<{ argv: string[]; env: Values }>;
}

/** Returns a runner with the action. In place of afk-triage it has a program that records how it was started. */
export async function actionRunner(): Promise<ActionRunner> {
  const directory = await temporaryDirectory();
  const path = (name: string): string => join(directory.path, name);
  await mkdir(path("bin"));
  await writeFile(path("program.mjs"), PROGRAM);
  await writeFile(path("output"), "");
  const start: ActionRunner["start"] = async (id, inputs, env = {}) => {
    const step = ACTION.runs?.steps.find((each) => each.id === id);
    const before = await outputsOf(path("output"));
    const given = Object.entries(step?.env ?? {}).map(([name, value]) => [
      name,
      valueOf(String(value), inputs, before),
    ]);
    const bash = execa("bash", [...SHELL, step?.run ?? "exit 99"], {
      cwd: directory.path,
      reject: false,
      extendEnv: false,
      env: { ...runnerEnvironment(path), ...(Object.fromEntries(given) as Values), ...env },
    });
    return {
      stderr: bash.stderr,
      kill: (signal) => bash.kill(signal),
      ended: bash.then(({ exitCode = -1, stdout, stderr }) => ({ exitCode, stdout, stderr })),
    };
  };
  return {
    path,
    start,
    step: async (id, inputs, env) => (await start(id, inputs, env)).ended,
    outputs: () => outputsOf(path("output")),
    started: async () =>
      JSON.parse(await readFile(path("started.json"), "utf8")) as { argv: string[]; env: Values },
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

/** The meaning of `shell: bash`. */
const SHELL = ["--noprofile", "--norc", "-eo", "pipefail", "-c"];

function runnerEnvironment(path: ActionRunner["path"]): Values {
  return {
    PATH: [path("bin"), ...PATH_WITHOUT_CODER].join(":"),
    AFK_TEST_RUN: process.env["AFK_TEST_RUN"] ?? "",
    GITHUB_ACTION_PATH: join(ROOT, ".github/actions/triage"),
    RUNNER_TEMP: path("."),
    GITHUB_OUTPUT: path("output"),
    GITHUB_STEP_SUMMARY: path("step-summary"),
    GITHUB_REPOSITORY: "octo/product",
    GITHUB_RUN_ATTEMPT: "3",
    STARTED: path("started.json"),
  };
}

const PROGRAM = `
import { appendFileSync, writeFileSync } from "node:fs";
writeFileSync(process.env.STARTED, JSON.stringify({ argv: process.argv.slice(2), env: process.env }));
appendFileSync(process.env.GITHUB_OUTPUT, "run-id=20261121T093000Z\\napplied=2\\n");
appendFileSync(process.env.GITHUB_STEP_SUMMARY, "### Triage Batch\\n");
process.stdout.write('{"schema":"afk-triage/summary@1"}\\n');
if (process.env.HANG) {
  process.on("SIGINT", () => process.exit(130));
  process.stderr.write("waiting\\n");
  setInterval(() => {}, 1000);
} else process.exit(Number(process.env.EXIT ?? 0));
`;

/** Missing inputs have their defaults; values of the runner's own contexts do not matter here. */
function valueOf(expression: string, inputs: Values, outputs: Values): string {
  const output = /^\$\{\{ steps\.\w+\.outputs\.([\w-]+) \}\}$/.exec(expression)?.[1];
  if (output !== undefined) return outputs[output] ?? "";
  if (expression.includes("steps.app")) return inputs["github-token"] ?? "";
  const defaults = Object.entries(ACTION.inputs ?? {}).map(([name, input]) => [name, input.default ?? ""]);
  return String(evaluate(expression, { inputs: { ...Object.fromEntries(defaults), ...inputs } }));
}

async function outputsOf(file: string): Promise<Values> {
  const lines = (await readFile(file, "utf8")).split("\n").filter(Boolean);
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]));
}
