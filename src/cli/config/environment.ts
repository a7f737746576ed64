import { OperationalError } from "agent-tty/kit";
import { z } from "zod";
import { parseTrustedAuthors, type RepositoryName } from "../../github/index.ts";
import { type ParentSecret, parentSecrets } from "../../triage/index.ts";
import { isRepositoryName } from "../repository-name.ts";
import type { CliErrorCode } from "../exit-codes.ts";

/** The variables of contracts the program reads; an empty one counts as unset, as GitHub Actions sets it so. */
const optional = z.string().optional();
const environmentSchema = z.object({
  GITHUB_TOKEN: optional,
  GITHUB_API_URL: z.url().optional(),
  GITHUB_REPOSITORY: z.string().refine(isRepositoryName, "expected owner/name").optional(),
  GITHUB_ACTIONS: optional,
  GITHUB_SERVER_URL: z.url().optional(),
  GITHUB_RUN_ID: z.string().regex(/^\d+$/, "expected a number").optional(),
  GITHUB_STEP_SUMMARY: optional,
  GITHUB_OUTPUT: optional,
  AFK_TRIAGE_APP_ID: z
    .string()
    .regex(/^\d+$|^Iv\w+$/, "expected an App or client id")
    .optional(),
  AFK_TRIAGE_APP_PRIVATE_KEY: optional,
  TRIAGE_PARALLELISM: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, "expected a whole number from 1 to 200")
    .transform(Number)
    .refine((value) => value <= 200, "expected a whole number from 1 to 200")
    .optional(),
  AFK_TRIAGE_HOME: optional,
  AFK_TRIAGE_MARKER_KEY: optional,
  AFK_TRIAGE_TRUSTED_MARKER_AUTHORS: optional,
  CODER_URL: z.url().optional(),
  CODER_SESSION_TOKEN: optional,
  AFK_TRIAGE_CODER_TOKEN_FILE: optional,
  AFK_TRIAGE_CODER_TOKEN_COMMAND: optional,
  AFK_TRIAGE_CODER_BIN: optional,
});

export interface RunEnvironment {
  githubToken: string | null;
  githubApiUrl: string;
  repository: RepositoryName | null;
  onActions: boolean;
  /** The page of this Actions run, where its artifacts are; null elsewhere. */
  actionsRunUrl: string | null;
  stepSummaryFile: string | null;
  outputFile: string | null;
  appId: string | null;
  appPrivateKey: string | null;
  parallelism: number | null;
  home: string | null;
  /** Newest first: the first signs, all verify. */
  markerKeys: string[];
  trustedAuthors: string[];
  coderUrl: string | null;
  coderToken: string | null;
  /** Read again once the token has expired: a file, or else what this shell command line prints. */
  coderTokenFile: string | null;
  coderTokenCommand: string | null;
  coderBinary: string;
  /** Values of the environment that must not leave this process. */
  secrets: ParentSecret[];
}

export function readEnvironment(env: NodeJS.ProcessEnv): RunEnvironment {
  const nonEmpty = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const result = environmentSchema.safeParse(nonEmpty);
  if (!result.success) {
    const problems = result.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
    throw new OperationalError<CliErrorCode>({
      code: "USAGE",
      message: `read the environment: ${problems.join("; ")}`,
      remedy: "Correct or unset these variables.",
    });
  }
  const found = result.data;
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
    markerKeys: markerKeys(found.AFK_TRIAGE_MARKER_KEY ?? ""),
    trustedAuthors: parseTrustedAuthors(found.AFK_TRIAGE_TRUSTED_MARKER_AUTHORS) ?? [],
    coderUrl: found.CODER_URL ?? null,
    coderToken: found.CODER_SESSION_TOKEN ?? null,
    coderTokenFile: found.AFK_TRIAGE_CODER_TOKEN_FILE ?? null,
    coderTokenCommand: found.AFK_TRIAGE_CODER_TOKEN_COMMAND ?? null,
    coderBinary: found.AFK_TRIAGE_CODER_BIN ?? "coder",
    secrets: parentSecrets(env),
  };
}

/** Apart by commas or lines: a blank is part of a key, or a passphrase would be cut to its first word (S4). */
function markerKeys(text: string): string[] {
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
