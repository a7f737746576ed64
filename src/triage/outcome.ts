import { z } from "zod";

/** The five outcomes of a Triage Run (A31), which are also the state roles of an issue. */
export const triageStates = [
  "needs-info",
  "ready-for-agent",
  "ready-for-human",
  "wontfix",
  "needs-triage",
] as const;
export type TriageState = (typeof triageStates)[number];

export const issueCategories = ["bug", "enhancement"] as const;
export type IssueCategory = (typeof issueCategories)[number];

/** 256 KiB: a larger outcome file is rejected before it is parsed (S9). */
export const OUTCOME_MAX_BYTES = 256 * 1024;

const line = z.string().min(1).max(500);
const paragraph = z.string().max(8_000);
const list = z.array(z.string().min(1).max(1_000)).max(20);

const brief = z.strictObject({
  currentBehavior: paragraph.min(1),
  desiredBehavior: paragraph.min(1),
  keyInterfaces: list,
  acceptanceCriteria: list.min(1),
  outOfScope: list,
});

const reproduction = z.strictObject({
  attempted: z.boolean(),
  reproduced: z.boolean(),
  /** A script with a `#!` line, run by the parent in a clean checkout; null when none was attempted. */
  script: z.string().min(1).max(32_000).nullable(),
  /** The condition under which a run of the script counts as a reproduction of the bug. */
  expect: z
    .strictObject({
      exitCode: z.int().min(0).max(255).nullable(),
      outputContains: z.string().min(1).max(1_000).nullable(),
    })
    .nullable(),
  expected: paragraph,
  actual: paragraph,
  environment: z.string().max(500),
});

const wontfix = z.strictObject({
  reason: paragraph.min(1),
  outOfScope: z
    .strictObject({
      concept: z
        .string()
        .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
        .max(80),
      entry: paragraph.min(1),
    })
    .nullable(),
});

/** The Triage Agent's statement about a vulnerability (S16). */
const security = z.strictObject({
  level: z.enum(["none", "suspected", "confirmed"]),
  /** For example `path traversal`; kept only in private. */
  kind: z.string().min(1).max(200).nullable(),
});

const first = z.strictObject({
  schema: z.literal("afk-triage/outcome@1"),
  issue: z.int().positive(),
  category: z.enum(issueCategories),
  outcome: z.enum(triageStates),
  confidence: z.enum(["low", "medium", "high"]),
  summary: line,
  established: list,
  questions: list,
  brief: brief.nullable(),
  reproduction: reproduction.nullable(),
  wontfix: wontfix.nullable(),
  duplicateOf: z.int().positive().nullable(),
});

/**
 * The Triage Agent's proposal, `afk-triage/outcome@2`. The schema is strict: it has no field for a label, a user or a repository,
 * and only `duplicateOf` may name another issue.
 */
export const currentOutcomeSchema = first.extend({ schema: z.literal("afk-triage/outcome@2"), security });

/** The accepted versions: the current schema, and `@1`, which has no `security`. */
export const outcomeSchema = z.discriminatedUnion("schema", [
  currentOutcomeSchema,
  first.transform((outcome) => ({ ...outcome, security: { level: "unstated" as const, kind: null } })),
]);

export interface DeclaredSecurity {
  level: z.infer<typeof security>["level"] | "unstated";
  kind: string | null;
}

export type Outcome = Omit<z.infer<typeof currentOutcomeSchema>, "schema" | "security"> & {
  schema: z.infer<typeof outcomeSchema>["schema"];
  security: DeclaredSecurity;
};
export type Brief = z.infer<typeof brief>;
export type Reproduction = z.infer<typeof reproduction>;

/** Returns the outcome in the form of a file that `outcomeSchema` can parse. */
export function writtenOutcome({ security: declared, ...rest }: Outcome): object {
  return rest.schema === "afk-triage/outcome@1" ? rest : { ...rest, security: declared };
}
