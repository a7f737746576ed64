import { readFileSync } from "node:fs";
import { messageOf, OperationalError } from "agent-tty/kit";
import { z } from "zod";
import { parseTrustedAuthors, type RepositoryName } from "../github/index.ts";
import { type ParentSecret, parentSecrets } from "../triage/index.ts";
import { defaultMachineConfig } from "../home/index.ts";
import { isRepositoryName } from "../notation/index.ts";
import { expectation, problemText } from "./problem-text.ts";

export type ConfigErrorCode = "USAGE" | "CONFIG_INVALID" | "REPOSITORY_NOT_NAMED";

const text = (description: string) => z.string().optional().meta({ description });
const url = (description: string) => z.url().optional().meta({ description });
/** The value of a secret is never shown, not even to the person who set it. */
const secret = (description: string, value: z.ZodString = z.string()) =>
  value.optional().meta({ description, isSecret: true });
/** A token that is sent in a header. The line end that people copy with it does not count. */
const token = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]+$/, "expected a token: visible ASCII characters without blanks");

/**
 * The variables the program reads. An empty variable counts as unset, because GitHub Actions passes an unset value as an empty
 * string.
 */
export const environmentSchema = z.object({
  GITHUB_TOKEN: secret(
    "The GitHub token; it reads contents and writes issues. Takes precedence over the App.",
    token,
  ),
  AFK_TRIAGE_APP_ID: z
    .string()
    .regex(/^\d+$|^Iv[\w.]+$/, "expected the id of an App (a number) or its client id (Iv…)")
    .optional()
    .meta({ description: "Signs in as this GitHub App instead: its id or client id." }),
  AFK_TRIAGE_APP_PRIVATE_KEY: secret("The App's private key, as PEM."),
  GITHUB_API_URL: url("GitHub's REST API; `https://HOST/api/v3` of an Enterprise Server."),
  GITHUB_REPOSITORY: z
    .string()
    .refine(isRepositoryName, "expected owner/name")
    .optional()
    .meta({ description: "The repository, when no `--repo` is given; beats `repos`." }),
  TRIAGE_PARALLELISM: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, "expected a whole number from 1 to 200")
    .transform(Number)
    .refine((value) => value <= 200, "expected a whole number from 1 to 200")
    .optional()
    .meta({ description: "Triage Runs at a time; beats `parallelism`." }),
  AFK_TRIAGE_HOME: text("Where recordings and records are kept."),
  AFK_TRIAGE_CONFIG: text(
    "This machine's own config file, which may hold every key; default `~/.config/afk-triage/config.yml`.",
  ),
  AFK_TRIAGE_MARKER_KEY: secret(
    "The key that signs triage notes. To rotate it, put the new key before the old ones, separated by commas: the first signs, all verify.",
  ),
  AFK_TRIAGE_TRUSTED_MARKER_AUTHORS: text(
    "Further authors whose triage notes count, separated by commas: numeric ids, or logins, which can be renamed and taken over.",
  ),
  AFK_TRIAGE_DATABASE_URL: secret(
    "The PostgreSQL database that the workers of a fleet share, as `postgresql://user:password@host/database`; without it a fleet is one process. With it `serve` shows the Triage Runs of all workers.",
    z.string().regex(/^postgres(?:ql)?:\/\/./, "expected postgresql://user:password@host/database"),
  ),
  AFK_TRIAGE_WEBHOOK_SECRET: secret(
    "The secret that signs the webhooks of a fleet. To rotate it, give the new one and the old one, separated by a comma.",
  ),
  AFK_TRIAGE_BOARD_TOKENS: secret(
    "The access tokens of the fleet board: each line has a token and, separated by spaces, what it may see: `*`, owners or repositories.",
  ),
  AFK_TRIAGE_WORKER_HOME: text(
    "The directory, on a local disk, for the files that only this fleet worker needs. Default: the home, which is right for several workers on one machine.",
  ),
  CODER_URL: url("The Coder deployment; beats `coder.url`."),
  CODER_SESSION_TOKEN: secret("Signs in to Coder.", token),
  AFK_TRIAGE_GATEWAY_TOKEN: secret(
    "The token with which the parent reads usage from Coder's AI Gateway. It must belong to a Coder user with the role auditor that is used for nothing else.",
    token,
  ),
  AFK_TRIAGE_CODER_TOKEN_FILE: text(
    "A file from which a new Coder token is read when the current one expires during a batch.",
  ),
  AFK_TRIAGE_CODER_TOKEN_COMMAND: secret(
    "A shell command line that prints a new Coder token, used instead of that file.",
  ),
  AFK_TRIAGE_CODER_BIN: text("The `coder` program; default `coder`."),
  GITHUB_ACTIONS: text(
    "Set by GitHub Actions: with it, the account of the job's own token is known even without GraphQL.",
  ),
  GITHUB_SERVER_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({
      description:
        "Set by GitHub Actions; with `GITHUB_REPOSITORY` and `GITHUB_RUN_ID` it forms links to the run's artifacts.",
    }),
  GITHUB_RUN_ID: z
    .string()
    .regex(/^\d+$/, "expected a number")
    .optional()
    .meta({ description: "Set by GitHub Actions." }),
  GITHUB_STEP_SUMMARY: text("Set by GitHub Actions: where the job summary is appended."),
  GITHUB_OUTPUT: text("Set by GitHub Actions: where `run-id` and `applied` are set."),
});

export interface RunEnvironment {
  githubToken: string | null;
  githubApiUrl: string;
  repository: RepositoryName | null;
  onActions: boolean;
  /** URL of the page of this Actions run, which lists its artifacts; null elsewhere. */
  actionsRunUrl: string | null;
  stepSummaryFile: string | null;
  outputFile: string | null;
  appId: string | null;
  appPrivateKey: string | null;
  parallelism: number | null;
  home: string | null;
  /** Absolute, or relative to the working directory. The file need not exist. */
  machineConfig: string;
  /** Newest first: the first key signs, all of them verify. */
  markerKeys: string[];
  trustedAuthors: (number | string)[];
  databaseUrl: string | null;
  /** A webhook may be signed with any of them. */
  webhookSecrets: string[];
  /** One line per token, with the token and its scopes. */
  boardTokens: string;
  workerHome: string | null;
  coderUrl: string | null;
  coderToken: string | null;
  /** A token of an auditor, which is used to query the model's cost. */
  gatewayToken: string | null;
  /** The source of a new token once the old one has expired: a file, or else the output of this shell command line. */
  coderTokenFile: string | null;
  coderTokenCommand: string | null;
  coderBinary: string;
  /** Values of the environment that must not leave this process. */
  secrets: ParentSecret[];
}

/**
 * Reads the environment. Fails with USAGE and names every invalid variable. A secret variable that is not set is read from the
 * file named by the variable of the same name with the suffix `_FILE`, because Kubernetes and systemd pass secrets that way.
 */
export function readEnvironment(given: NodeJS.ProcessEnv): RunEnvironment {
  const { env, found, problems } = parseEnvironment(given);
  if (found === null || problems.length > 0) {
    const told = problems.map(({ name, problem }) => `${name}: ${problem}`);
    throw new OperationalError<ConfigErrorCode>({
      code: "USAGE",
      message: `read the environment: ${told.join("; ")}`,
      remedy: "Correct or unset these variables.",
    });
  }
  return {
    githubToken: found.GITHUB_TOKEN ?? null,
    githubApiUrl: found.GITHUB_API_URL ?? "https://api.github.com",
    repository: found.GITHUB_REPOSITORY ?? null,
    onActions: found.GITHUB_ACTIONS === "true",
    actionsRunUrl: actionsRunUrl(found),
    stepSummaryFile: found.GITHUB_STEP_SUMMARY ?? null,
    outputFile: found.GITHUB_OUTPUT ?? null,
    appId: found.AFK_TRIAGE_APP_ID ?? null,
    appPrivateKey: found.AFK_TRIAGE_APP_PRIVATE_KEY ?? null,
    parallelism: found.TRIAGE_PARALLELISM ?? null,
    home: found.AFK_TRIAGE_HOME ?? null,
    machineConfig: found.AFK_TRIAGE_CONFIG ?? defaultMachineConfig(),
    markerKeys: separateSecrets(found.AFK_TRIAGE_MARKER_KEY ?? ""),
    trustedAuthors: parseTrustedAuthors(found.AFK_TRIAGE_TRUSTED_MARKER_AUTHORS) ?? [],
    databaseUrl: found.AFK_TRIAGE_DATABASE_URL ?? null,
    webhookSecrets: separateSecrets(found.AFK_TRIAGE_WEBHOOK_SECRET ?? ""),
    boardTokens: found.AFK_TRIAGE_BOARD_TOKENS ?? "",
    workerHome: found.AFK_TRIAGE_WORKER_HOME ?? null,
    coderUrl: found.CODER_URL ?? null,
    coderToken: found.CODER_SESSION_TOKEN ?? null,
    gatewayToken: found.AFK_TRIAGE_GATEWAY_TOKEN ?? null,
    coderTokenFile: found.AFK_TRIAGE_CODER_TOKEN_FILE ?? null,
    coderTokenCommand: found.AFK_TRIAGE_CODER_TOKEN_COMMAND ?? null,
    coderBinary: found.AFK_TRIAGE_CODER_BIN ?? "coder",
    secrets: parentSecrets(env),
  };
}

interface EnvironmentProblem {
  name: string;
  problem: string;
}

/** Lists the problems for which `readEnvironment` would reject the environment. */
export function findEnvironmentProblems(env: NodeJS.ProcessEnv): EnvironmentProblem[] {
  return parseEnvironment(env).problems;
}

/** An empty variable counts as unset, also one that was read from a file. */
function parseEnvironment(given: NodeJS.ProcessEnv) {
  const { secrets, problems } = readSecretFiles(withoutEmpty(given));
  const env = withoutEmpty({ ...given, ...secrets });
  const result = environmentSchema.safeParse(env, { error: expectation });
  return result.success
    ? { env, found: result.data, problems }
    : { env, found: null, problems: [...problems, ...describeProblems(result.error, env)] };
}

function withoutEmpty(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
}

/** Returns whether a variable of the schema is a secret. */
function isSecret(schema: z.ZodType): boolean {
  return schema.meta()?.["isSecret"] === true;
}

function readSecretFiles(env: NodeJS.ProcessEnv) {
  const secrets: Record<string, string> = {};
  const problems: EnvironmentProblem[] = [];
  for (const [name, schema] of Object.entries(environmentSchema.shape)) {
    const file = env[`${name}_FILE`];
    if (!isSecret(schema) || file === undefined || env[name] !== undefined) continue;
    try {
      // Removes the byte order mark and the line end that editors add.
      secrets[name] = readFileSync(file, "utf8")
        .replace(/^\uFEFF/, "")
        .trimEnd();
    } catch (error) {
      problems.push({ name: `${name}_FILE`, problem: messageOf(error) });
    }
  }
  return { secrets, problems };
}

function describeProblems(error: z.ZodError, env: NodeJS.ProcessEnv): EnvironmentProblem[] {
  return error.issues.map((issue) => {
    const name = issue.path.join(".");
    const schema = Object.entries(environmentSchema.shape).find(([key]) => key === name)?.[1];
    // A secret's value is never shown, also where neither its name nor its form tells that it is one.
    const isHidden = schema !== undefined && isSecret(schema);
    return { name, problem: isHidden ? issue.message : problemText(issue, env[name]) };
  });
}

/**
 * Splits at commas or line breaks, but not at spaces: a space can be part of a key, and otherwise a passphrase would be cut to
 * its first word (S4).
 */
function separateSecrets(text: string): string[] {
  return text
    .split(/[\n,]/)
    .map((key) => key.trim())
    .filter((key) => key !== "");
}

function actionsRunUrl(found: z.infer<typeof environmentSchema>): string | null {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = found;
  if (server === undefined || repository === undefined || run === undefined) return null;
  return `${server}/${repository}/actions/runs/${run}`;
}
