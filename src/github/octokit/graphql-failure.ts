import { z } from "zod";

/** GraphQL's refusal of a query, which GitHub answers with status 200. The message is GitHub's own. */
export class GraphqlFailure extends Error {
  override readonly name = "GraphqlFailure";
  /** Whether GitHub itself failed, and not the query. GitHub's error then has neither a type nor a code. */
  readonly isPassing: boolean;
  constructor(message: string, isPassing: boolean) {
    super(message);
    this.isPassing = isPassing;
  }
}

/** Throws GraphqlFailure if the answer contains errors in place of data. Answers of REST never do. */
export function throwIfRefused(answer: unknown): void {
  const refused = refusedSchema.safeParse(answer);
  if (!refused.success) return;
  const [{ message, type, extensions }] = refused.data.errors;
  throw new GraphqlFailure(message, type === undefined && extensions === undefined);
}

const errorSchema = z.object({
  message: z.string(),
  type: z.string().optional(),
  extensions: z.unknown().optional(),
});

const refusedSchema = z.object({
  data: z.null().optional(),
  errors: z.tuple([errorSchema], errorSchema),
});
