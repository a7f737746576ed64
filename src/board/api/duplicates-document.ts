import { z } from "zod";

const member = z.object({
  number: z.int().positive(),
  title: z.string(),
  /**
   * The role of the issue. `canonical`: the other members point to it. `proven`: behaviour shows that both issues have one cause.
   * `may-be`: a Triage Agent chose it.
   */
  kind: z.enum(["canonical", "proven", "may-be"]),
  issueUrl: z.string().nullable(),
  /** Sentences that explain the links to this issue. */
  reasons: z.array(z.string()),
});

/** The clusters of issues with one cause, the clusters with the most reporters first (D6). */
export const duplicatesSchema = z.object({
  schema: z.literal("afk-triage/board-duplicates@1"),
  clusters: z.array(
    z.object({
      repo: z.string(),
      /** The number of distinct accounts that reported one of the issues. */
      reporters: z.int().nonnegative(),
      /** The canonical issue first. */
      members: z.array(member),
    }),
  ),
});
export type DuplicatesDocument = z.infer<typeof duplicatesSchema>;
export type DuplicateClusterDocument = DuplicatesDocument["clusters"][number];
