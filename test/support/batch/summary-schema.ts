import { z } from "zod";

const error = z.strictObject({
  code: z.string().regex(/^[A-Z_]+$/),
  message: z.string(),
  remedy: z.string(),
});
const durationMs = z.int().min(0);
const path = z.string().startsWith("/").nullable();
const statuses = ["applied", "skipped", "locked", "requeued", "failed"] as const;

const issue = z.strictObject({
  repo: z.string(),
  number: z.int().positive(),
  status: z.enum(statuses),
  reason: z.string().regex(/^[a-z]+(?:-[a-z]+)*$/),
  category: z.enum(["bug", "enhancement"]).nullable(),
  outcome: z.enum(["needs-info", "ready-for-agent", "ready-for-human", "wontfix", "needs-triage"]).nullable(),
  policy: z.array(z.string().regex(/^[a-z]+(?:-[a-z]+)*$/)),
  commentUrl: z.url().nullable(),
  workspace: z
    .strictObject({
      name: z.string(),
      id: z.string().nullable(),
      destroyed: z.boolean(),
      keptUntil: z.iso.datetime().nullable(),
    })
    .nullable(),
  artifacts: z.strictObject({
    eventLog: path,
    recording: path,
    screenshot: path,
    outcome: path,
    verification: path,
    patch: path,
  }),
  evidence: z
    .strictObject({
      verdict: z.string().regex(/^[a-z]+(?:-[a-z]+)*$/),
      runs: z.string().regex(/^\d+\/\d+$/),
      controls: z.string().regex(/^\d+\/\d+$/),
      place: z.enum(["fresh", "same"]),
      firstBad: z.string().nullable(),
      firstFixed: z.string().nullable(),
      test: z.string().nullable(),
    })
    .nullable(),
  usage: z.strictObject({ inputTokens: z.int(), outputTokens: z.int(), usd: z.number() }),
  modelSessions: z.array(z.string()),
  deniedRequests: z.strictObject({ count: z.int().positive(), hosts: z.array(z.string()) }).nullable(),
  timings: z.strictObject({
    provisionMs: durationMs,
    agentMs: durationMs,
    verifyMs: durationMs,
    applyMs: durationMs,
    destroyMs: durationMs,
    cleanMs: durationMs,
  }),
  error: error.nullable(),
});

/** The contract's `afk-triage/summary@1`, written independently of the program. */
export const summarySchema = z.strictObject({
  schema: z.literal("afk-triage/summary@1"),
  runId: z.string().regex(/^\d{8}T\d{6}Z$/),
  repos: z.array(z.string()),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  totals: z.strictObject(Object.fromEntries(statuses.map((status) => [status, z.int().min(0)]))),
  issues: z.array(issue),
  stranded: z.array(z.strictObject({ name: z.string(), id: z.string().nullable(), error })),
  kept: z.array(
    z.strictObject({
      repo: z.string(),
      number: z.int().positive(),
      name: z.string(),
      id: z.string(),
      until: z.iso.datetime(),
    }),
  ),
});

/** With `--dry-run` the summary also contains the resolved config. */
export const dryRunSchema = summarySchema.extend({
  config: z.looseObject({ home: z.string(), provider: z.string(), batch: z.looseObject({}) }),
});
