import { z } from "zod";
import { parseByteSize, writeByteSize, writeDuration } from "../notation/index.ts";
import { durationMs } from "./duration-schema.ts";
import { setting } from "./setting.ts";

const [MINUTE_MS, DAY_MS] = [60_000, 24 * 3_600_000];

/** How a reproduction is verified. */
export const reproductionSchema = z.strictObject({
  place: setting(z.enum(["fresh", "same"]), {
    meaning:
      "`fresh`: the parent runs a reproduction in a second Coder workspace. `same`: in the Triage Agent's own Coder workspace, which is weaker evidence.",
    owner: "repository",
    fallback: "fresh",
  }),
  runs: setting(z.int().min(1).max(20), {
    meaning:
      "The minimum number of runs of a reproduction by the parent. If the results differ, there are up to about 20 more; control runs are not counted.",
    owner: "repository",
    fallback: 3,
  }),
  timeout: setting(durationMs, {
    meaning: "How long one such run may take.",
    owner: "repository",
    fallback: 5 * MINUTE_MS,
    write: writeDuration,
  }),
  range: setting(durationMs.nullable(), {
    meaning:
      "The time limit of the search for the first bad and first fixed version and commit; null: no search.",
    owner: "repository",
    fallback: 5 * MINUTE_MS,
    flag: ["--bisect", ({ rangeMs }) => rangeMs],
    write: (ms) => (ms === null ? null : writeDuration(ms)),
  }),
});

/** Settings of the search for earlier issues. */
export const duplicatesSchema = z.strictObject({
  candidates: setting(z.int().min(0).max(20), {
    meaning:
      "The number of earlier issues that are offered to a Triage Agent as possible duplicates; 0: none, and no issue index is kept.",
    owner: "repository",
    fallback: 5,
  }),
  requests: setting(z.int().min(1).max(1_000), {
    meaning:
      "The maximum number of GitHub requests with which one batch updates a repository's issue index; each reads up to 100 issues.",
    owner: "repository",
    fallback: 20,
  }),
  proofs: setting(z.int().min(0).max(10), {
    meaning:
      "The maximum number of other issues with which one Triage Run compares its reproduction, to prove a common cause.",
    owner: "repository",
    fallback: 2,
  }),
  proofTime: setting(durationMs, {
    meaning: "How long one such comparison may take.",
    owner: "repository",
    fallback: 5 * MINUTE_MS,
    write: writeDuration,
  }),
  close: setting(z.boolean(), {
    meaning: "Whether an issue that is proven to repeat an open one is closed as a duplicate.",
    owner: "repository",
    fallback: false,
  }),
});

/** Settings of `afk-triage sweep`. */
export const sweepSchema = z.strictObject({
  close: setting(z.boolean(), {
    meaning:
      "Whether `sweep` closes an issue whose reproduction failed before and passes now, if nobody objects within `sweep.grace`.",
    owner: "repository",
    fallback: false,
  }),
  grace: setting(
    durationMs.refine((ms) => ms >= DAY_MS, "expected a duration of at least 1d"),
    {
      meaning: "How long people may object to a close that a comment has proposed.",
      owner: "repository",
      fallback: 14 * DAY_MS,
      write: writeDuration,
    },
  ),
  commentsPerDay: setting(z.int().min(0).max(1_000), {
    meaning: "The maximum number of sweep comments per repository within 24 hours; further ones wait.",
    owner: "repository",
    fallback: 20,
  }),
  recheck: setting(durationMs, {
    meaning: "After this time a `still-broken` issue is run again, even if it has not changed.",
    owner: "repository",
    fallback: 30 * DAY_MS,
    write: writeDuration,
  }),
  triageAgent: setting(z.boolean(), {
    meaning: "Whether `sweep` gives an issue without any reproduction to a Triage Agent.",
    owner: "repository",
    fallback: true,
  }),
});

/** Parses a size as written in the config file into bytes. */
const byteSize = z
  .string()
  .transform((text, context) => {
    const parsed = parseByteSize(text);
    if (parsed !== null) return parsed;
    context.addIssue({ code: "custom", message: `expected a size such as 500MiB or 4GiB, got "${text}"` });
    return z.NEVER;
  })
  .meta({ format: "size" });

type Limit = number | "off";
const orOff = (limit: z.ZodType<number, string>, such: string) =>
  z.union([z.enum(["off"]), limit], {
    error: ({ input }) => `expected ${such}, or off, got ${JSON.stringify(input)}`,
  });
const writeLimit =
  (write: (value: number) => string) =>
  (value: Limit): string =>
    value === "off" ? value : write(value);

/** How long the home keeps files. The home may hold the evidence of other repositories. */
export const retentionSchema = z.strictObject({
  age: setting(orOff(durationMs, "a duration such as 90d"), {
    meaning: "How long unneeded files stay in the home; `off`: forever.",
    owner: "machine",
    fallback: 90 * DAY_MS,
    write: writeLimit(writeDuration),
  }),
  size: setting(orOff(byteSize, "a size such as 500MiB or 4GiB"), {
    meaning:
      "How large the home may grow before its oldest unneeded files are removed; `off`: without limit. Both `off`: nothing is removed.",
    owner: "machine",
    fallback: 4 * 1024 ** 3,
    write: writeLimit(writeByteSize),
  }),
});
