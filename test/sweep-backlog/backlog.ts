import { readFile } from "node:fs/promises";
import { join } from "node:path";
import semver from "semver";
import { z } from "zod";
import { seeded } from "../support/seeded.ts";

const expectation = z.object({ exitCode: z.int(), outputContains: z.string() });

/** A pair with the truth about it. Only code that generates or scores a backlog may read it. */
const pairSchema = z.object({
  id: z.string(),
  package: z.string(),
  kind: z.string(),
  title: z.string(),
  body: z.string(),
  reportVersion: z.string(),
  versionsTested: z.array(z.string()),
  firstBad: z.string(),
  lastBad: z.string(),
  firstFixed: z.string().nullable(),
  flips: z.array(z.object({ version: z.string(), state: z.enum(["bad", "good", "other"]) })),
  script: z.string(),
  expect: expectation,
});

const scriptSchema = z.object({
  id: z.string(),
  pair: z.string(),
  label: z.string(),
  script: z.string(),
  expect: expectation,
});

export type Pair = z.infer<typeof pairSchema>;
type LabelledScript = z.infer<typeof scriptSchema>;

/** One product: the published versions of a package up to one of them. */
export interface Product {
  /** `owner/name` on the emulated GitHub. */
  repo: `${string}/${string}`;
  package: string;
  /** The id of the history from which the product is cut; products of one pair share it. */
  history: string;
  /** The versions of the whole history, in order. */
  published: readonly string[];
  upTo: string;
}

export interface FiledIssue {
  product: Product;
  title: string;
  body: string;
  /** The verdict that a sweep should reach. */
  truth:
    | { type: "fixed"; release: string }
    | { type: "still-broken"; since: string | null }
    /** A report of misuse, which describes no bug of the product. */
    | { type: "misuse" };
  pair: string;
  /** The pair is a vulnerability, so a sweep is right to skip its report (S16). */
  isVulnerability: boolean;
  /** The reproduction is also stored in the home. */
  isStored: boolean;
  script: string;
  expect: z.infer<typeof expectation>;
}

export interface Evidence {
  pairs: readonly Pair[];
  scripts: readonly LabelledScript[];
}

export async function readEvidence(directory: string): Promise<Evidence> {
  const read = async (name: string): Promise<unknown> =>
    JSON.parse(await readFile(join(directory, name), "utf8"));
  return {
    pairs: z.array(pairSchema).parse(await read("pairs.json")),
    scripts: z.array(scriptSchema).parse(await read("scripts.json").catch(() => [])),
  };
}

/**
 * The kinds of pairs that published advisories call vulnerabilities: dot-prop CVE-2020-8116, flat CVE-2020-36632, minimist
 * CVE-2020-7598, ms CVE-2015-8315, trim CVE-2020-7753.
 */
const VULNERABLE_KINDS: ReadonlySet<string> = new Set(["prototype pollution", "ReDoS"]);

/** Generates `count` open reports: in turn, of bugs that were fixed later, bugs that still exist, and misuse. */
export function generateBacklog({ pairs, scripts }: Evidence, count: number, seed: number): FiledIssue[] {
  const random = seeded(seed);
  const misuses = scripts.filter(({ label }) => label === "refuse");
  const fixable = pairs.filter((pair) => fixedCut(pair, pairs) !== null);
  const issues: FiledIssue[] = [];
  for (let index = 0; issues.length < count; index += 1) {
    const kind = index % 5;
    const turn = Math.floor(index / 5);
    if (kind === 0 || kind === 2) {
      const pair = fixable[(turn * 2 + kind / 2) % fixable.length];
      if (pair !== undefined) issues.push(reportOf(pair, "fixed", pairs, random));
    } else if (kind === 1 || kind === 3) {
      const pair = pairs[(turn * 2 + (kind - 1) / 2) % pairs.length];
      if (pair !== undefined) issues.push(reportOf(pair, "still-broken", pairs, random));
    } else {
      const misuse = misuses[turn % Math.max(1, misuses.length)];
      const pair = pairs.find(({ id }) => id === misuse?.pair);
      if (misuse !== undefined && pair !== undefined) issues.push(misuseOf(misuse, pair, pairs, random));
    }
  }
  return issues;
}

/**
 * Returns the newest tested version of the good run after the bug; null: the bug was never fixed, or no such version is known.
 */
function fixedCut(pair: Pair, pairs: readonly Pair[]): string | null {
  if (pair.firstFixed === null) return null;
  const { firstFixed, flips } = pair;
  const next = flips.find(({ version }) => semver.gt(version, firstFixed));
  const good = versionsOf(pair.package, pairs).filter(
    (version) => semver.gte(version, firstFixed) && (next === undefined || semver.lt(version, next.version)),
  );
  // A version between two flips that was not run may be good or bad.
  const known = good.filter((version) => pair.versionsTested.includes(version));
  return known.at(-1) ?? null;
}

function versionsOf(packageName: string, pairs: readonly Pair[]): string[] {
  const named = pairs.filter((one) => one.package === packageName).flatMap((one) => one.versionsTested);
  return [...new Set(named)].toSorted(semver.compare);
}

/** Returns a product with only the versions on which the pair was run, because the truth about others is unknown. */
function productOf(pair: Pair, upTo: string): Product {
  const published = [...pair.versionsTested].toSorted(semver.compare);
  // The name must be unique without its owner, because the name of a Coder workspace, which is the lock, does not contain the
  // owner.
  const name = `${pair.id}-up-to-${upTo}`.replaceAll(/[^a-zA-Z0-9]+/g, "-");
  return { repo: `octo/${name}`, package: pair.package, history: pair.id, published, upTo };
}

function reportOf(
  pair: Pair,
  type: "fixed" | "still-broken",
  pairs: readonly Pair[],
  random: () => number,
): FiledIssue {
  const upTo = type === "fixed" ? (fixedCut(pair, pairs) ?? pair.lastBad) : pair.lastBad;
  const product = productOf(pair, upTo);
  const isStored = type === "still-broken" && random() < 0.15;
  return {
    product,
    title: pair.title,
    body: isStored ? `${pair.body}${versionLine(pair)}` : bodyOf(pair, pair, random),
    truth:
      type === "fixed"
        ? { type, release: pair.firstFixed ?? "" }
        : { type, since: pair.firstBad === "initial" ? null : pair.firstBad },
    pair: pair.id,
    isVulnerability: VULNERABLE_KINDS.has(pair.kind),
    isStored,
    script: pair.script,
    expect: pair.expect,
  };
}

function misuseOf(
  misuse: LabelledScript,
  pair: Pair,
  pairs: readonly Pair[],
  random: () => number,
): FiledIssue {
  const all = versionsOf(pair.package, pairs);
  const newest = all.findLast((version) => pair.versionsTested.includes(version));
  return {
    product: productOf(pair, newest ?? pair.reportVersion),
    title: `${pair.package} does not do what I want`,
    body: bodyOf(
      { ...pair, body: `I use ${pair.package} ${pair.reportVersion} and this fails.` },
      misuse,
      random,
    ),
    truth: { type: "misuse" },
    pair: pair.id,
    isVulnerability: VULNERABLE_KINDS.has(pair.kind),
    isStored: false,
    script: misuse.script,
    expect: misuse.expect,
  };
}

/** Returns a body that states the same facts in a random reporter's words and order. */
function bodyOf(
  pair: Pick<Pair, "body" | "package" | "reportVersion">,
  { script, expect }: Pick<Pair, "script" | "expect">,
  random: () => number,
): string {
  const pick = <Value>(values: readonly [Value, ...Value[]]): Value =>
    values[Math.floor(random() * values.length)] ?? values[0];
  const fence = script.includes("```") ? "````" : "```";
  const heading = pick([
    "### Steps to reproduce",
    "## Reproduction",
    "**Minimal example:**",
    "To reproduce:",
  ]);
  const code = `${fence}${pick(["sh", "bash", "shell"])}\n${script.trimEnd()}\n${fence}`;
  const result = pick([
    "",
    `It exits with code ${expect.exitCode}.`,
    `### Actual output\n\n\`\`\`\n${expect.outputContains}\n\`\`\`\n\nand it exits with code ${expect.exitCode}`,
    `### Actual output\n\n\`\`\`text\n${expect.outputContains}\n\`\`\``,
  ]);
  const parts = pick([
    [`${pair.body}${versionLine(pair)}`, heading, code, result],
    [heading, code, result, `${pair.body}${versionLine(pair)}`],
    [`Hello,\n\n${pair.body}${versionLine(pair)}`, heading, code, result, "### Expected\n\nThat it works."],
  ]);
  return parts.filter((part) => part !== "").join("\n\n");
}

function versionLine({
  body,
  package: name,
  reportVersion,
}: Pick<Pair, "body" | "package" | "reportVersion">): string {
  return body.includes(reportVersion) ? "" : `\n\nVersion: ${name} ${reportVersion}`;
}
