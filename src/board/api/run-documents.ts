import { z } from "zod";

/**
 * Times and durations are in milliseconds; times are counted from the epoch. Text from issues or terminals is untrusted plain
 * text.
 */
const atMs = z.int().nonnegative();
const durationMs = z.int().nonnegative();

export const usageSchema = z.object({
  inputTokens: z.int().nonnegative(),
  outputTokens: z.int().nonnegative(),
  /** US dollars; null when the Triage Agent does not report its cost. */
  usd: z.number().nonnegative().nullable(),
});

/** The indicator (L9). `name` is for people who do not see the symbol. */
export const indicatorSchema = z.object({ symbol: z.string(), name: z.string(), isPulsing: z.boolean() });

export const phaseStepSchema = z.object({ phase: z.string(), atMs });

/** The displayed pull request, with its own status (O4). */
export const pullRequestSchema = z.object({ number: z.int(), url: z.string(), status: z.string() });

/** The grade of a verification (V7). `runs` and `controls` are counts such as `3/3`; `text` is the whole grade in one line. */
const evidenceSchema = z.object({
  verdict: z.string(),
  runs: z.string(),
  controls: z.string(),
  text: z.string(),
});

/** One row of the board: the present state of a Triage Run with the values derived on reading (O3, O20). */
export const runRowSchema = z.object({
  id: z.string(),
  runId: z.string(),
  repo: z.string(),
  number: z.int().positive(),
  /** null where an older version did not record it. */
  title: z.string().nullable(),
  issueUrl: z.string().nullable(),
  displayStatus: z.string(),
  indicator: indicatorSchema,
  phase: z.string(),
  /** The status line of its active prompt; null once the run is settled. */
  surface: z.string().nullable(),
  startedAtMs: atMs,
  settledAtMs: atMs.nullable(),
  /**
   * Set for an unsettled run whose parent is dead: the run does nothing any more, and `remedy` says how to settle it.
   * `lastSeenAtMs` is the last time that its parent recorded anything.
   */
  parentLost: z.object({ lastSeenAtMs: atMs, remedy: z.string() }).nullable(),
  end: z
    .object({
      status: z.enum(["applied", "skipped", "locked", "requeued", "failed"]),
      reason: z.string(),
      outcome: z.string().nullable(),
      error: z.object({ code: z.string(), message: z.string(), remedy: z.string() }).nullable(),
    })
    .nullable(),
  /**
   * The policy rules that decided, in order; empty while the run is in progress, or when the proposal was not
   * changed.
   */
  policy: z.array(z.string()),
  /** null until the run has reported its category or the batch has finished. */
  category: z.string().nullable(),
  usage: usageSchema.nullable(),
  /** The grade of the parent's own runs; null when the parent made none, or when an older version did not record it. */
  evidence: evidenceSchema.nullable(),
  pullRequest: pullRequestSchema.nullable(),
});
export type RunRowDocument = z.infer<typeof runRowSchema>;

export const artifactKinds = [
  "issue",
  "recording",
  "screenshot",
  "outcome",
  "patch",
  "verification-recording",
  "verification-screenshot",
  "verification",
  "comment",
] as const;
export type ArtifactKind = (typeof artifactKinds)[number];

/** The media types of artifacts, none of which a browser would execute. */
export const artifactMediaTypes = {
  issue: "application/json",
  recording: "application/x-asciicast",
  screenshot: "image/png",
  outcome: "application/json",
  patch: "text/plain; charset=utf-8",
  "verification-recording": "application/x-asciicast",
  "verification-screenshot": "image/png",
  verification: "application/json",
  comment: "text/plain; charset=utf-8",
} as const satisfies Record<ArtifactKind, string>;

/** A Session of the run: `triage-agent` is the Triage Agent's terminal, shown in the first tab (L10). */
export const terminalSchema = z.object({
  name: z.enum(["triage-agent", "verification"]),
  sessionId: z.string(),
  isLive: z.boolean(),
});
export type TerminalDocument = z.infer<typeof terminalSchema>;

const reproductionRunSchema = z.object({
  exitCode: z.int().nullable(),
  timedOut: z.boolean(),
  matched: z.boolean(),
  durationMs,
  outputExcerpt: z.string(),
});

/**
 * A span of a product's versions that begins with the version `from`; null: it begins with the first version, or its begin is not
 * known.
 */
export const versionSpanSchema = z.object({
  state: z.enum(["works", "untestable", "broken", "fixed", "unknown"]),
  from: z.string().nullable(),
});

/** A block of text for display. `url` is the address of a link, shown as text. `depth` counts the lists and quotes around it. */
export const inertBlockSchema = z.object({
  kind: z.enum(["paragraph", "heading", "item", "code", "row", "rule"]),
  depth: z.int().nonnegative(),
  spans: z.array(
    z.object({
      text: z.string(),
      styles: z.array(z.enum(["strong", "emphasis", "deleted", "code"])),
      url: z.string().nullable(),
    }),
  ),
});
export type InertBlock = z.infer<typeof inertBlockSchema>;

/** The parent's own observation of the reproduction (T8). */
export const verificationSchema = z.object({
  verdict: z.enum([
    "not-attempted",
    "impossible",
    "reproduced",
    "flaky",
    "already-fixed",
    "unproven",
    "not-reproduced",
  ]),
  reason: z.string().nullable(),
  script: z.string().nullable(),
  expect: z.object({ exitCode: z.int().nullable(), outputContains: z.string().nullable() }).nullable(),
  runs: z.array(reproductionRunSchema),
  commit: z.string().nullable(),
  /** The first bad and the first fixed version, in sentences; empty: no range search was made. */
  range: z.array(z.string()),
  /** The same range as a time line of versions, oldest first. */
  versions: z.array(versionSpanSchema),
  sameFailureAs: z.array(z.int()),
});

export const auditEntrySchema = z.object({
  seq: z.int().positive(),
  at: z.string(),
  action: z.enum(["publish", "undo", "autonomy"]),
  fact: z.enum(["decided", "intended", "done", "autonomy-moved"]),
  /** A sentence that describes the entry to people. */
  text: z.string(),
});

/** Everything that the run view shows about one Triage Run, except the content of its terminals and its tracked states. */
export const runDocumentSchema = z.object({
  schema: z.literal("afk-triage/board-run@1"),
  run: runRowSchema,
  history: z.array(phaseStepSchema),
  timings: z.record(z.string(), durationMs).nullable(),
  coderWorkspace: z.object({ state: z.string(), name: z.string().nullable() }),
  terminals: z.array(terminalSchema),
  /** The Triage Agent's proposal; null when there is none or it cannot be read. */
  outcome: z
    .object({
      category: z.string(),
      outcome: z.string(),
      confidence: z.string(),
      summary: z.string(),
      established: z.array(z.string()),
      questions: z.array(z.string()),
      brief: z
        .object({
          currentBehavior: z.string(),
          desiredBehavior: z.string(),
          keyInterfaces: z.array(z.string()),
          acceptanceCriteria: z.array(z.string()),
          outOfScope: z.array(z.string()),
        })
        .nullable(),
    })
    .nullable(),
  /** The policy rules that decided, in order. */
  policy: z.array(z.string()),
  verification: verificationSchema.nullable(),
  /** Later checks of the stored reproduction (`verify`). */
  checks: z.array(z.object({ at: z.string(), verdict: z.string(), matchedRuns: z.int(), runs: z.int() })),
  /** The published comment, as Markdown and as blocks of plain text; both are empty if its text is no longer in the home. */
  comment: z
    .object({ markdown: z.string(), blocks: z.array(inertBlockSchema), url: z.string().nullable() })
    .nullable(),
  audit: z.object({ entries: z.array(auditEntrySchema), problem: z.string().nullable() }),
  pullRequests: z.array(pullRequestSchema),
  nudges: z.array(
    z.object({
      kind: z.string(),
      pullRequest: z.int(),
      atMs: atMs.nullable(),
      refusal: z.string().nullable(),
    }),
  ),
  artifacts: z.array(
    z.object({ kind: z.enum(artifactKinds), sizeBytes: z.int().nonnegative(), mediaType: z.string() }),
  ),
});
export type RunDocument = z.infer<typeof runDocumentSchema>;
