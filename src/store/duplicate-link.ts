import { z } from "zod";
import { parseJson } from "agent-tty/kit";
import type { Binding } from "./database.ts";

/** The facts that a Triage Run has found about two issues of one repository. */
export interface DuplicateLinkFacts {
  repo: string;
  /** The smaller number of the two. */
  first: number;
  second: number;
  /** `may-be`: a Triage Agent named one as a duplicate of the other. `proven`: their behaviour shows that they have one cause. */
  kind: "may-be" | "proven";
  runId: string;
  /** The account ids of the two reporters, keyed by issue number; null: not known. */
  reporters: Readonly<Record<string, number | null>>;
  /** The issues among the two with a reproduction that the parent has seen work. */
  evidenced: readonly number[];
  /** The titles, keyed by issue number; untrusted text. */
  titles: Readonly<Record<string, string>>;
  /** Sentences for people, which contain untrusted text. */
  reasons: readonly string[];
}

const detailShape = z.object({
  reporters: z.record(z.string(), z.number().nullable()),
  evidenced: z.array(z.number()),
  titles: z.record(z.string(), z.string()).default({}),
  reasons: z.array(z.string()),
});

export const duplicateLinkColumns = "repo, first, second, kind, run_id, detail";

export const duplicateLinkRow = z
  .object({
    repo: z.string(),
    first: z.int(),
    second: z.int(),
    kind: z.enum(["may-be", "proven"]),
    run_id: z.string(),
    detail: z.string().transform((text, context) => {
      const parsed = detailShape.safeParse(parseJson(text));
      if (parsed.success) return parsed.data;
      context.addIssue({ code: "custom", message: "the detail of a duplicate link is not ours" });
      return z.NEVER;
    }),
  })
  .transform(({ run_id, detail, ...row }): DuplicateLinkFacts => ({ ...row, runId: run_id, ...detail }));

/** Saves a link. A proven link stays proven: only a later proven link replaces it. */
export const saveDuplicateLink = `
INSERT INTO duplicate_links (${duplicateLinkColumns}, decided_at_ms)
VALUES (:repo, :first, :second, :kind, :run_id, :detail, :decided_at_ms)
ON CONFLICT (repo, first, second) DO UPDATE SET
  kind = excluded.kind, run_id = excluded.run_id, detail = excluded.detail, decided_at_ms = excluded.decided_at_ms
WHERE excluded.kind = 'proven' OR duplicate_links.kind = 'may-be'`;

/**
 * The condition of links that are valid: the proven ones, and those whose Triage Run made the last decision about the newer issue
 * and was not undone. A later run's decision replaces an earlier one on GitHub, too. The condition uses the trust facts, because
 * links are never deleted: a fleet sends rows to its database, not deletions.
 */
export const standingLinks = `(kind = 'proven' OR NOT EXISTS (
  SELECT 1 FROM trust_facts AS fact
  WHERE fact.repo = duplicate_links.repo AND fact.number = duplicate_links.second AND (
    (fact.type = 'decided' AND fact.run_id > duplicate_links.run_id) OR
    (fact.type = 'overridden' AND fact.run_id = duplicate_links.run_id AND json_extract(fact.detail, '$.how') = 'undone')
  )
))`;

/** Returns the SQL bindings of a duplicate link; the lower issue number comes first. */
export function duplicateLinkBindings(link: DuplicateLinkFacts): Record<string, Binding> {
  const { repo, kind, runId, reporters, evidenced, titles, reasons } = link;
  const [first = 0, second = 0] = [link.first, link.second].toSorted((a, b) => a - b);
  return {
    repo,
    first,
    second,
    kind,
    run_id: runId,
    detail: JSON.stringify({ reporters, evidenced, titles, reasons }),
  };
}
