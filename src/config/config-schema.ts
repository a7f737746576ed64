import { z } from "zod";
import { isRepositoryName, parseByteSize } from "../notation/index.ts";
import { autonomySchema } from "./autonomy-schema.ts";
import { durationMs } from "./duration-schema.ts";
import { defaultLabelNames, type LabelNames } from "../triage/index.ts";

/** A size as written in the config file, in bytes. */
const byteSize = z
  .string()
  .transform((text, context) => {
    const parsed = parseByteSize(text);
    if (parsed !== null) return parsed;
    context.addIssue({ code: "custom", message: `expected a size such as 500MiB or 4GiB, got "${text}"` });
    return z.NEVER;
  })
  .meta({ format: "size" });

const orOff = <Limit extends z.ZodType>(limit: Limit) => z.union([z.enum(["off"]), limit]);

const repositoryName = z.string().refine(isRepositoryName, "expected owner/name");

const labelName = z
  .string()
  .min(1)
  .max(50)
  .regex(/^[^,]+$/, "a label name has no comma");

/** It is published in comments, as the beginning of a link. */
function isPlainAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password, search, hash } = new URL(text);
  return `${username}${password}${search}${hash}` === "";
}

const labelFor = (role: string) =>
  labelName.optional().meta({ description: `The label that means \`${role}\` here.` });

/** A label says which role an issue has, so no two roles share one. GitHub does not tell capitals in labels apart. */
function refuseSharedLabels(
  named: Partial<Record<keyof LabelNames, string | undefined>>,
  context: z.core.$RefinementCtx,
): void {
  const roles = Object.keys(defaultLabelNames) as (keyof LabelNames)[];
  const labelOf = (role: keyof LabelNames): string => named[role] ?? defaultLabelNames[role];
  for (const role of roles.filter((each) => named[each] !== undefined)) {
    const label = labelOf(role);
    const other = roles.find((each) => each !== role && labelOf(each).toLowerCase() === label.toLowerCase());
    if (other === undefined) continue;
    context.addIssue({
      code: "custom",
      path: [role],
      message: `the label "${label}" already means ${other}: give ${role} a label of its own`,
    });
  }
}

/** `.github/afk-triage.yml`. Every key is optional; an unknown one is an error. */
export const configSchema = z.strictObject({
  repos: z.array(repositoryName).min(1).optional().meta({ description: "Repositories to triage." }),
  provider: z.enum(["coder", "local"]).optional().meta({
    description:
      "Where Triage Agents work: Coder workspaces, or private directories of this machine (not a sandbox).",
  }),
  parallelism: z.int().min(1).max(200).optional().meta({ description: "Triage Runs at a time." }),
  runDeadline: durationMs.optional().meta({ description: "How long one issue may take." }),
  triageAgent: z
    .strictObject({
      kind: z
        .enum(["claude-code", "command"])
        .optional()
        .meta({ description: "Claude Code, or a program of your own." }),
      mode: z
        .enum(["print", "tui"])
        .optional()
        .meta({ description: "Claude Code only: print mode, or its TUI, driven by what its screen shows." }),
      command: z.array(z.string().min(1)).min(1).optional().meta({
        description: "Kind `command` only: the program and its arguments, started in the checkout.",
      }),
      model: z
        .string()
        .min(1)
        .nullish()
        .meta({ description: "Claude Code only: the model; null: Claude Code chooses." }),
      env: z
        .record(z.string().regex(/^[A-Za-z_]\w*$/), z.string())
        .optional()
        .meta({
          description: "Variables for the Triage Agent only. No other variable of the parent reaches it.",
        }),
    })
    .optional(),
  coder: z
    .strictObject({
      url: z.url().nullish().meta({ description: "The Coder deployment." }),
      template: z.string().min(1).optional().meta({ description: "The Coder template." }),
      preset: z.string().min(1).nullish().meta({ description: "A preset of the template, or `none`." }),
      parameters: z.record(z.string(), z.string()).optional().meta({
        description: "Parameters of the template, beside those of the lease, which are set for you.",
      }),
      organization: z
        .string()
        .min(1)
        .nullish()
        .meta({ description: "Needed when several organizations have a template of that name." }),
      multiplexer: z.enum(["auto", "none"]).optional().meta({
        description:
          "`auto`: tmux in the Coder workspace holds the terminal, so that a lost connection costs nothing.",
      }),
    })
    .optional(),
  checkout: z
    .strictObject({
      url: z
        .string()
        .min(1)
        .nullish()
        .meta({ description: "The URL that git clones; null: the repository's own address." }),
      ref: z
        .string()
        .regex(/^[^-\s][^\s]*$/, "a git ref has no blank and does not begin with a dash")
        .nullish()
        .meta({ description: "Branch, tag or commit to look at; null: the default branch." }),
      strategy: z.enum(["clone", "bundle"]).optional().meta({
        description:
          "`clone`: the Coder workspace clones. `bundle`: the parent fetches with its own credential and hands over one file, for private repositories.",
      }),
      setup: z
        .array(z.string().min(1))
        .optional()
        .meta({ description: "Shell command lines that make a fresh checkout ready." }),
    })
    .optional(),
  reproduction: z
    .strictObject({
      place: z.enum(["fresh", "same"]).optional().meta({
        description:
          "`fresh`: the parent runs a reproduction where the Triage Agent never was. `same`: in its Coder workspace, which is weaker.",
      }),
      runs: z
        .int()
        .min(1)
        .max(20)
        .optional()
        .meta({ description: "How often the parent runs a reproduction before it counts." }),
      timeout: durationMs.optional().meta({ description: "How long one such run may take." }),
      range: durationMs.nullish().meta({
        description:
          "How long the first bad and first fixed version and commit of a bug are searched for; null: not at all.",
      }),
    })
    .optional(),
  duplicates: z
    .strictObject({
      candidates: z.int().min(0).max(20).optional().meta({
        description:
          "Earlier issues that a Triage Agent may choose a likely duplicate among; 0: none, and no issue index is kept.",
      }),
      requests: z.int().min(1).max(1_000).optional().meta({
        description:
          "Requests to GitHub by which one batch updates the issue index of a repository; each brings up to 100 issues.",
      }),
      proofs: z.int().min(0).max(10).optional().meta({
        description:
          "Other issues whose stored reproductions one Triage Run compares with its own, to prove one cause.",
      }),
      proofTime: durationMs.optional().meta({ description: "How long one such comparison may take." }),
      close: z.boolean().optional().meta({
        description: "Whether an issue that is proven to repeat another one is closed as a duplicate.",
      }),
    })
    .optional(),
  autonomy: autonomySchema.optional(),
  labels: z
    .strictObject({
      bug: labelFor("bug"),
      enhancement: labelFor("enhancement"),
      "needs-triage": labelFor("needs-triage"),
      "needs-info": labelFor("needs-info"),
      "ready-for-agent": labelFor("ready-for-agent"),
      "ready-for-human": labelFor("ready-for-human"),
      wontfix: labelFor("wontfix"),
    })
    .superRefine(refuseSharedLabels)
    .optional(),
  needsInfo: z
    .strictObject({
      activity: z
        .enum(["reporter", "anyone"])
        .optional()
        .meta({ description: "The people whose new comment resumes a `needs-info` issue." }),
    })
    .optional(),
  cooldown: durationMs.optional().meta({
    description:
      "How long an issue that kept `needs-triage` waits before it is tried again without a new comment.",
  }),
  sessionLogMib: z.int().min(8).max(65_536).optional().meta({
    description: "MiB of one Session's Event Log above which its middle is dropped.",
  }),
  pullRequestInterval: durationMs
    .refine((ms) => ms >= 10_000 && ms <= 24 * 3_600_000, "from 10s to 24h")
    .optional()
    .meta({
      description: "How often a Triage Run under way looks at the pull requests that close its issue.",
    }),
  budget: z
    .strictObject({
      runUsd: z.number().positive().nullish().meta({ description: "Dollars one Triage Run may cost." }),
      batchUsd: z
        .number()
        .positive()
        .nullish()
        .meta({ description: "Dollars after which a Triage Batch starts no further Triage Run." }),
      runTokens: z.int().positive().nullish().meta({ description: "Tokens one Triage Run may use." }),
      batchTokens: z
        .int()
        .positive()
        .nullish()
        .meta({ description: "Tokens after which a Triage Batch starts no further Triage Run." }),
      runsPerAuthor: z
        .int()
        .positive()
        .nullish()
        .meta({ description: "Issues of one author that one Triage Batch takes." }),
    })
    .optional(),
  release: z
    .strictObject({
      setup: z.array(z.string().min(1)).optional().meta({
        description:
          "Shell command lines that make a release's fresh checkout ready; without it `npm ci` where there is a lock file.",
      }),
      verify: z
        .array(z.string().min(1))
        .min(1)
        .optional()
        .meta({ description: "Shell command lines that must succeed before a release is prepared." }),
      versionFiles: z
        .array(z.string().min(1))
        .optional()
        .meta({ description: "Further files that contain the version." }),
    })
    .optional(),
  sweep: z
    .strictObject({
      close: z.boolean().optional().meta({
        description:
          "Whether `sweep` closes an issue whose bug it saw fail before and pass after, once nobody has objected for `sweep.grace`.",
      }),
      grace: durationMs
        .refine((ms) => ms >= 24 * 3_600_000, "at least 1d")
        .optional()
        .meta({ description: "How long people may object to a close that a comment has proposed." }),
      commentsPerDay: z.int().min(0).max(1_000).optional().meta({
        description: "Comments of sweeps within 24 hours, for each repository; the others wait.",
      }),
      recheck: durationMs.optional().meta({
        description: "After which a bug that was still there is run again, although its issue is unchanged.",
      }),
      triageAgent: z.boolean().optional().meta({
        description: "Whether `sweep` gives an issue without any reproduction to a Triage Agent.",
      }),
    })
    .optional(),
  retention: z
    .strictObject({
      age: orOff(durationMs).optional().meta({
        description: "How long unneeded files stay in the home; `off`: for ever.",
      }),
      size: orOff(byteSize).optional().meta({
        description:
          "How large the home may grow before its oldest unneeded files are removed; `off`: without limit. Both `off`: nothing is removed.",
      }),
    })
    .optional(),
  evidence: z
    .strictObject({
      url: z
        .url({ protocol: /^https?$/ })
        .refine(isPlainAddress, "expected an address without credentials, query and fragment")
        .nullish()
        .meta({
          description:
            "The address at which you serve `<home>/runs`: comments link recordings below it. On GitHub Actions they link the run's artifacts instead.",
        }),
    })
    .optional(),
  security: z
    .strictObject({
      keepEvidence: z.enum(["none", "private"]).optional().meta({
        description:
          "Evidence that shows a vulnerability is removed, or moved to `<home>-private`, beside the home and not in it.",
      }),
    })
    .optional(),
  workspacePrefix: z
    .string()
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, "lower-case letters, digits and single dashes")
    .max(24)
    .nullish()
    .meta({
      description:
        "The prefix of Coder workspace names; null: `<repository>-triage`. Parents that share a deployment need the same prefix.",
    }),
});

export type Config = z.infer<typeof configSchema>;
