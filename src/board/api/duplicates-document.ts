import { z } from "zod";

const member = z.object({
  number: z.int().positive(),
  title: z.string(),
  /** `canonical`: the others point to it. `proven`: behaviour shows one cause. `may-be`: a Triage Agent chose it. */
  kind: z.enum(["canonical", "proven", "may-be"]),
  issueUrl: z.string().nullable(),
  /** Sentences, of the links that lead to it. */
  reasons: z.array(z.string()),
});

/** D6: issues of one cause, those with most reporters first. */
export const duplicatesSchema = z.object({
  schema: z.literal("afk-triage/board-duplicates@1"),
  clusters: z.array(
    z.object({
      repo: z.string(),
      /** Distinct accounts that reported one of the issues. */
      reporters: z.int().nonnegative(),
      /** The canonical issue first. */
      members: z.array(member),
    }),
  ),
});
export type DuplicatesDocument = z.infer<typeof duplicatesSchema>;
export type DuplicateClusterDocument = DuplicatesDocument["clusters"][number];
