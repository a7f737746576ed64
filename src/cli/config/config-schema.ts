import { z } from "zod";
import { isRepositoryName } from "../repository-name.ts";
import { parseDuration } from "../duration.ts";

/** A duration as written in the config file or on the command line, in milliseconds. */
const durationMs = z
  .string()
  .transform((text, context) => {
    const parsed = parseDuration(text);
    if (parsed !== null) return parsed;
    context.addIssue({
      code: "custom",
      message: `expected a duration such as 90s, 20m or 7d, got "${text}"`,
    });
    return z.NEVER;
  })
  .meta({ description: "a duration such as 90s, 20m, 7d" });

const repositoryName = z.string().refine(isRepositoryName, "expected owner/name");

const labelName = z
  .string()
  .min(1)
  .max(50)
  .regex(/^[^,]+$/, "a label name has no comma");

/** `.github/afk-triage.yml`. Every key is optional; an unknown one is an error. */
export const configSchema = z.strictObject({
  repos: z.array(repositoryName).min(1).optional(),
  provider: z.enum(["coder", "local"]).optional(),
  parallelism: z.int().min(1).max(200).optional(),
  runDeadline: durationMs.optional(),
  triageAgent: z
    .strictObject({
      kind: z.enum(["claude-code", "command"]).optional(),
      mode: z.enum(["print", "tui"]).optional(),
      command: z.array(z.string().min(1)).min(1).optional(),
      model: z.string().min(1).nullish(),
      env: z.record(z.string().regex(/^[A-Za-z_]\w*$/), z.string()).optional(),
    })
    .optional(),
  coder: z
    .strictObject({
      url: z.url().nullish(),
      template: z.string().min(1).optional(),
      preset: z.string().min(1).nullish(),
      parameters: z.record(z.string(), z.string()).optional(),
      organization: z.string().min(1).nullish(),
      multiplexer: z.enum(["auto", "none"]).optional(),
    })
    .optional(),
  checkout: z
    .strictObject({
      url: z.string().min(1).nullish(),
      ref: z
        .string()
        .regex(/^[^-\s][^\s]*$/, "a git ref has no blank and does not begin with a dash")
        .nullish(),
      strategy: z.enum(["clone", "bundle"]).optional(),
      setup: z.array(z.string().min(1)).optional(),
    })
    .optional(),
  reproduction: z
    .strictObject({
      runs: z.int().min(1).max(20).optional(),
      timeout: durationMs.optional(),
      bisect: durationMs.nullish(),
    })
    .optional(),
  labels: z
    .strictObject({
      bug: labelName.optional(),
      enhancement: labelName.optional(),
      "needs-triage": labelName.optional(),
      "needs-info": labelName.optional(),
      "ready-for-agent": labelName.optional(),
      "ready-for-human": labelName.optional(),
      wontfix: labelName.optional(),
    })
    .optional(),
  needsInfo: z.strictObject({ activity: z.enum(["reporter", "anyone"]).optional() }).optional(),
  cooldown: durationMs.optional(),
  pullRequestInterval: durationMs
    .refine((ms) => ms >= 10_000 && ms <= 24 * 3_600_000, "from 10s to 24h")
    .optional(),
  budget: z
    .strictObject({
      runUsd: z.number().positive().nullish(),
      batchUsd: z.number().positive().nullish(),
      runTokens: z.int().positive().nullish(),
      batchTokens: z.int().positive().nullish(),
      runsPerAuthor: z.int().positive().nullish(),
    })
    .optional(),
  workspacePrefix: z
    .string()
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, "lower-case letters, digits and single dashes")
    .max(24)
    .nullish(),
});

export type Config = z.infer<typeof configSchema>;
