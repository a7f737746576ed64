import { z } from "zod";
import { isRepositoryName, writeDuration } from "../notation/index.ts";
import { autonomySchema } from "./autonomy-schema.ts";
import { durationMs } from "./duration-schema.ts";
import { duplicatesSchema, reproductionSchema, retentionSchema, sweepSchema } from "./evidence-schema.ts";
import { fleetSchema } from "./fleet-schema.ts";
import { labelsSchema } from "./labels-schema.ts";
import { setting } from "./setting.ts";
import { checkoutSchema, coderSchema, triageAgentSchema } from "./triage-agent-schema.ts";

const [MINUTE_MS, DAY_MS] = [60_000, 24 * 3_600_000];

const repositoryName = z.string().refine(isRepositoryName, "expected owner/name");

/** The URL is published in comments, as the beginning of a link. */
function isPlainAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password, search, hash } = new URL(text);
  return `${username}${password}${search}${hash}` === "";
}

/**
 * The schema of `.github/afk-triage.yml`. Every key is optional; an unknown key is an error. This table holds everything about a
 * setting: its type, meaning, owner, default, flag and environment variable.
 */
export const configSchema = z.strictObject({
  repos: setting(z.array(repositoryName).min(1), {
    meaning: "Repositories to triage.",
    owner: "repository",
    fallback: [],
    flag: ["--repo", ({ repo }) => (repo.length === 0 ? undefined : [...repo])],
    variable: ["GITHUB_REPOSITORY", ({ repository }) => (repository === null ? null : [repository])],
  }),
  provider: setting(z.enum(["coder", "local"]), {
    meaning:
      "Where Triage Agents work: Coder workspaces, or private directories of this machine (not a sandbox).",
    // A repository's file may only say `coder`: see `machineKeysIn`.
    owner: "repository",
    fallback: "coder",
    flag: ["--provider", ({ provider }) => provider],
  }),
  parallelism: setting(z.int().min(1).max(200), {
    meaning: "The maximum number of concurrent Triage Runs.",
    owner: "repository",
    fallback: 5,
    flag: ["--parallelism", ({ parallelism }) => parallelism],
    variable: ["TRIAGE_PARALLELISM", ({ parallelism }) => parallelism],
  }),
  runDeadline: setting(durationMs, {
    meaning: "How long one issue may take.",
    owner: "repository",
    fallback: 20 * MINUTE_MS,
    flag: ["--run-deadline", ({ runDeadlineMs }) => runDeadlineMs],
    write: writeDuration,
  }),
  triageAgent: triageAgentSchema.optional(),
  coder: coderSchema.optional(),
  checkout: checkoutSchema.optional(),
  reproduction: reproductionSchema.optional(),
  duplicates: duplicatesSchema.optional(),
  autonomy: autonomySchema.optional(),
  native: z
    .strictObject({
      suggestions: setting(z.enum(["auto", "off"]), {
        meaning:
          "`auto`: the labels of a proposal are also added as GitHub's own label suggestions (a public preview), if the repository supports them.",
        owner: "repository",
        fallback: "off",
      }),
    })
    .optional(),
  labels: labelsSchema.optional(),
  needsInfo: z
    .strictObject({
      activity: setting(z.enum(["reporter", "anyone"]), {
        meaning: "The people whose new comment resumes a `needs-info` issue.",
        owner: "repository",
        fallback: "reporter",
      }),
    })
    .optional(),
  cooldown: setting(durationMs, {
    meaning:
      "How long an issue that kept `needs-triage` waits before it is tried again without a new comment.",
    owner: "repository",
    fallback: 7 * DAY_MS,
    write: writeDuration,
  }),
  sessionLogMib: setting(z.int().min(8).max(65_536), {
    meaning: "The maximum size, in MiB, of one Session's Event Log; beyond it the middle is dropped.",
    owner: "repository",
    fallback: 256,
  }),
  pullRequestInterval: setting(
    durationMs.refine((ms) => ms >= 10_000 && ms <= DAY_MS, "expected a duration from 10s to 24h"),
    {
      meaning: "How often a running Triage Run reads the pull requests that close its issue.",
      owner: "repository",
      fallback: 2 * MINUTE_MS,
      write: writeDuration,
    },
  ),
  budget: z
    .strictObject({
      runUsd: setting(z.number().positive().nullable(), {
        meaning: "The maximum cost of one Triage Run in dollars.",
        owner: "repository",
        fallback: null,
        flag: ["--run-budget-usd", ({ runBudgetUsd }) => runBudgetUsd],
      }),
      batchUsd: setting(z.number().positive().nullable(), {
        meaning: "The cost in dollars after which a Triage Batch starts no further Triage Run.",
        owner: "repository",
        fallback: null,
        flag: ["--budget-usd", ({ budgetUsd }) => budgetUsd],
      }),
      runTokens: setting(z.int().positive().nullable(), {
        meaning: "Tokens one Triage Run may use.",
        owner: "repository",
        fallback: null,
      }),
      batchTokens: setting(z.int().positive().nullable(), {
        meaning: "Tokens after which a Triage Batch starts no further Triage Run.",
        owner: "repository",
        fallback: null,
      }),
      runsPerAuthor: setting(z.int().positive().nullable(), {
        meaning: "The maximum number of issues of one author in one Triage Batch.",
        owner: "repository",
        fallback: null,
      }),
    })
    .optional(),
  // A release runs its own repository's code by design; `release` is never run for another project's checkout.
  release: z
    .strictObject({
      setup: setting(z.array(z.string().min(1)).nullable(), {
        meaning:
          "Shell command lines that make a release's fresh checkout ready; null: `npm ci` where there is a lock file.",
        owner: "repository",
        fallback: null,
      }),
      verify: setting(z.array(z.string().min(1)).min(1), {
        meaning: "Shell command lines that must succeed before a release is prepared.",
        owner: "repository",
        fallback: ["npm run check"],
      }),
      versionFiles: setting(z.array(z.string().min(1)), {
        meaning: "Further files that contain the version.",
        owner: "repository",
        fallback: [],
      }),
    })
    .optional(),
  sweep: sweepSchema.optional(),
  fleet: fleetSchema.optional(),
  retention: retentionSchema.optional(),
  evidence: z
    .strictObject({
      url: setting(
        z
          .url({ protocol: /^https?$/ })
          .refine(isPlainAddress, "expected an address without credentials, query and fragment")
          .nullable(),
        {
          meaning:
            "The address at which you serve `<home>/runs`: comments link recordings below it. On GitHub Actions they link the run's artifacts instead.",
          // Comments in our name link to this URL.
          owner: "machine",
          fallback: null,
        },
      ),
    })
    .optional(),
  security: z
    .strictObject({
      keepEvidence: setting(z.enum(["none", "private"]), {
        meaning:
          "Evidence that shows a vulnerability is removed, or moved to `<home>-private`, beside the home and not in it.",
        owner: "machine",
        fallback: "none",
      }),
    })
    .optional(),
  workspacePrefix: setting(
    z
      .string()
      .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, "expected lower-case letters, digits and single dashes")
      .max(24)
      .nullable(),
    {
      meaning:
        "The prefix of Coder workspace names; null: `<repository>-triage`. Parents that share a deployment need the same prefix.",
      owner: "repository",
      fallback: null,
    },
  ),
});

export type Config = z.infer<typeof configSchema>;
