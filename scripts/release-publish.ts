import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs, type ParseArgsConfig } from "node:util";
import { answerHelp } from "./script-arguments.ts";

/**
 * `npm run release:publish -- --tag v1.2.3`: the Publish Pipeline from a tag: validate, package, publish. `--until
 * validate|package` stops earlier, `--dry-run` is `--until package`; `--repository URL` is what the package names as its own
 * (default: that of the Actions job). One JSON document on stdout; exit code 1 says that nothing was published.
 */
const ROOT = join(import.meta.dirname, "..");
const OPTIONS = {
  tag: { type: "string", default: process.env["GITHUB_REF_NAME"] ?? "" },
  remote: { type: "string", default: "origin" },
  until: { type: "string", default: "publish" },
  repository: { type: "string", default: repositoryOfJob(process.env) ?? "" },
  out: { type: "string", default: join(ROOT, "build", "packed") },
  "dry-run": { type: "boolean", default: false },
} as const satisfies ParseArgsConfig["options"];
answerHelp(import.meta.url);
const values = parsedArguments();
if (values.tag === "") refuse("no tag: name it with --tag v1.2.3 (default: GITHUB_REF_NAME)");

// The imports come late so that a wrong argument is reported before the pipeline is loaded.
const { messageOf, OperationalError } = await import("agent-tty/kit");
const { gitIn, npmCommand, PUBLISH_STAGES, publishRelease } = await import("../src/release/index.ts");
const asked = values["dry-run"] ? "package" : values.until;
const until = PUBLISH_STAGES.find((stage) => stage === asked);
if (until === undefined) refuse(`--until: expected ${PUBLISH_STAGES.join(", ")}, got ${values.until}`);
const { signal } = new AbortController();
const into = resolve(values.out);
await mkdir(into, { recursive: true });
try {
  const summary = await publishRelease(
    { tag: values.tag, remote: values.remote, until, into, repositoryUrl: values.repository || null },
    {
      git: gitIn(ROOT, { env: process.env, signal }),
      npm: npmCommand(process.env, signal),
      // The claims that npm needs in a token: https://docs.npmjs.com/generating-provenance-statements
      canProveOrigin: Boolean(process.env["ACTIONS_ID_TOKEN_REQUEST_URL"]),
    },
  );
  process.stdout.write(`${JSON.stringify(summary, null, 2)}\n`);
} catch (error) {
  const remedy = error instanceof OperationalError ? `\nWhat to do: ${error.remedy}` : "";
  process.stderr.write(`release:publish: ${messageOf(error)}${remedy}\n`);
  process.exitCode = 1;
}

function parsedArguments() {
  try {
    return parseArgs({ options: OPTIONS }).values;
  } catch (error) {
    return refuse((error as Error).message);
  }
}

function refuse(problem: string): never {
  process.stderr.write(`release:publish: ${problem}\n`);
  process.exit(2);
}

function repositoryOfJob(env: NodeJS.ProcessEnv): string | null {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = env;
  return server === undefined || repository === undefined ? null : `git+${server}/${repository}.git`;
}
