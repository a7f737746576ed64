import { z } from "zod";

/** `owner/name` as GitHub writes it. */
export const repositoryName = z.templateLiteral([z.string().min(1), "/", z.string().min(1)]);

/**
 * A change of a fleet's repositories that GitHub reports. Changes arrive in any order, so each has the time of GitHub's own
 * record, `atMs` in milliseconds since the Unix epoch; a change that is older than the stored state has no effect.
 */
export const repositoryChange = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("follow"),
    repositoryId: z.int(),
    name: repositoryName,
    installationId: z.int().nullable(),
    atMs: z.number(),
  }),
  z.object({ type: z.literal("leave"), repositoryId: z.int(), name: repositoryName, atMs: z.number() }),
  z.object({ type: z.literal("rename"), repositoryId: z.int(), name: repositoryName, atMs: z.number() }),
  z.object({
    type: z.literal("installation"),
    installationId: z.int(),
    state: z.enum(["active", "suspended", "deleted"]),
    atMs: z.number(),
  }),
]);
export type RepositoryChange = z.infer<typeof repositoryChange>;

/**
 * The time of an installation's deletion that GitHub has signed. No later change of the installation exists, because GitHub never
 * uses its id again.
 */
export const FINAL_MS = Number.MAX_SAFE_INTEGER;
