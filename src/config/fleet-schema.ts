import { z } from "zod";
import { writeDuration } from "../notation/index.ts";
import { durationMs } from "./duration-schema.ts";
import { setting } from "./setting.ts";

const [MINUTE_MS, DAY_MS] = [60_000, 24 * 3_600_000];

const usd = (of: string) =>
  setting(z.number().positive().nullable(), {
    meaning: `Dollars ${of} may cost in a calendar month (UTC); null: no limit.`,
    owner: "machine",
    fallback: null,
  });
const tokens = (of: string) =>
  setting(z.int().positive().nullable(), {
    meaning: `Tokens ${of} may use in a calendar month (UTC); null: no limit.`,
    owner: "machine",
    fallback: null,
  });

/** The settings of `afk-triage fleet`. All workers of a fleet need the same ones. */
export const fleetSchema = z.strictObject({
  perRepository: setting(z.int().min(1).max(100), {
    meaning: "The maximum number of issues of one repository that a fleet processes at once.",
    owner: "machine",
    fallback: 3,
  }),
  perOwner: setting(z.int().min(1).max(1_000).nullable(), {
    meaning: "Issues of one organisation or person that a fleet works on at once; null: no limit.",
    owner: "machine",
    fallback: null,
  }),
  poll: setting(
    durationMs.refine((ms) => ms >= 1_000 && ms <= DAY_MS, "expected a duration from 1s to 24h"),
    {
      meaning: "How often a fleet polls each repository for changes that no webhook reported.",
      owner: "machine",
      fallback: 30 * MINUTE_MS,
      write: writeDuration,
    },
  ),
  quiet: setting(
    durationMs.refine((ms) => ms <= DAY_MS, "expected a duration of up to 24h"),
    {
      meaning:
        "How long after a webhook a fleet looks at its issue, so that one look answers several webhooks.",
      owner: "machine",
      fallback: 30_000,
      write: writeDuration,
    },
  ),
  grace: setting(
    durationMs.refine((ms) => ms <= DAY_MS, "expected a duration of up to 24h"),
    {
      meaning:
        "How long issues in hand may still take after SIGTERM before they are stopped and left to others.",
      owner: "machine",
      fallback: 5 * MINUTE_MS,
      write: writeDuration,
    },
  ),
  budget: z
    .strictObject({
      repositoryUsd: usd("each repository"),
      repositoryTokens: tokens("each repository"),
      ownerUsd: usd("each organisation or person"),
      ownerTokens: tokens("each organisation or person"),
      fleetUsd: usd("the whole fleet"),
      fleetTokens: tokens("the whole fleet"),
    })
    .optional(),
});
