import { z } from "zod";
import { repositoryName } from "../repositories/index.ts";

/** An ISO time or seconds since the Unix epoch, as milliseconds; GitHub writes both. */
const time = z
  .union([z.string(), z.number()])
  .transform((value) => (typeof value === "number" ? value * 1_000 : Date.parse(value)))
  .refine((value) => Number.isFinite(value));

const account = z.object({ id: z.int(), type: z.string().optional() });
const listed = z.array(z.object({ id: z.int(), full_name: repositoryName })).optional();

/** The fields of a delivery that affect its plan; the rest of its payload is never kept. */
export const deliveryPayload = z.object({
  action: z.string().optional(),
  sender: account.nullish(),
  installation: z.object({ id: z.int(), updated_at: time.optional() }).optional(),
  repository: z.object({ id: z.int(), full_name: repositoryName, updated_at: time.optional() }).optional(),
  issue: z
    .object({
      number: z.int().positive(),
      title: z.string(),
      body: z.string().nullish(),
      labels: z.array(z.object({ name: z.string() })).optional(),
      user: account.nullish(),
      pull_request: z.unknown().optional(),
    })
    .optional(),
  comment: z
    .object({
      body: z.string().nullish(),
      user: account.nullish(),
      performed_via_github_app: z.object({ id: z.int() }).nullish(),
    })
    .optional(),
  repositories: listed,
  repositories_added: listed,
  repositories_removed: listed,
});
export type DeliveryPayload = z.infer<typeof deliveryPayload>;
