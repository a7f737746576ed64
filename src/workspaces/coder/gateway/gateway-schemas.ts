import { z } from "zod";

/*
 * The schemas contain only used fields (coder/coder 2.36: GET /ai-gateway/sessions); others may appear and disappear.
 */

const count = z
  .number()
  .nonnegative()
  .nullish()
  .transform((value) => value ?? 0);

const session = z.looseObject({
  id: z.string(),
  initiator: z.looseObject({ id: z.string(), username: z.string().nullish() }),
  models: z
    .array(z.string())
    .nullish()
    .transform((models) => models ?? []),
  started_at: z.string(),
  token_usage_summary: z.looseObject({
    input_tokens: count,
    output_tokens: count,
    cache_read_input_tokens: count,
    cache_write_input_tokens: count,
  }),
  network_calls: z.looseObject({ total: count, blocked: count }).nullish(),
});

export const sessionsSchema = z.looseObject({
  sessions: z
    .array(session)
    .nullish()
    .transform((sessions) => sessions ?? []),
});
export type GatewaySession = z.infer<typeof session>;
