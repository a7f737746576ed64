import { createHash } from "node:crypto";
import type { Lease } from "../port.ts";
import type { BuildParameter, RichParameter } from "./coder-schemas.ts";

/**
 * The lease is stored in template parameters, the only facts that Coder stores with a Coder workspace and returns to every
 * parent. A template may have any subset of them. Ephemeral parameters are not returned and count as missing. The parameters are
 * mutable in the templates that ship with afk-triage, because a claim of a prebuilt Coder workspace sets them a second time.
 */
const LEASE_NAMES = ["run_id", "issue_number", "repo_url", "ref", "afk_parent", "afk_lease_seconds"] as const;
type LeaseName = (typeof LEASE_NAMES)[number];

/** Only this program sets these parameters; the configuration may set `repo_url` and `ref`. */
export const RESERVED_PARAMETERS: readonly string[] = [
  "run_id",
  "issue_number",
  "afk_parent",
  "afk_lease_seconds",
];

export interface CheckoutParameters {
  /** Returns the URL of `owner/repo`. */
  repoUrl: (repo: string) => string;
  ref: string | null;
}

/** Larger values are invalid: Coder itself stops a Coder workspace by then. */
const MAX_HOLD_MS = 31 * 24 * 3_600_000;

/** Returns the lease parameters that a template has, without the ephemeral ones, which are not stored. */
export function leaseNamesOf(parameters: readonly RichParameter[]): LeaseName[] {
  return LEASE_NAMES.filter((name) =>
    parameters.some((parameter) => parameter.name === name && parameter.ephemeral !== true),
  );
}

/** Returns the values of the lease parameters that the template has. */
export function leaseParameters(
  lease: Lease,
  names: readonly LeaseName[],
  checkout: CheckoutParameters,
  holdMs: number,
): Map<string, string> {
  const { repo, number } = splitIssueKey(lease.issueKey);
  const values: Record<LeaseName, string | null> = {
    run_id: runIdValue(lease, names),
    issue_number: number,
    repo_url: checkout.repoUrl(repo),
    ref: checkout.ref,
    afk_parent: lease.parent,
    afk_lease_seconds: String(Math.ceil(holdMs / 1000)),
  };
  return new Map(
    names.flatMap((name) => {
      const value = values[name];
      return value === null ? [] : [[name, value] as const];
    }),
  );
}

/** Returns the stored lease, or null if it names no run. A value that the template cannot store reads as "". */
export function readLease(parameters: readonly BuildParameter[]): Lease | null {
  const value = (name: LeaseName): string => parameters.find((each) => each.name === name)?.value ?? "";
  const [, runId = value("run_id")] = MARKED_RUN_ID.exec(value("run_id")) ?? [];
  if (runId === "") return null;
  const repo = repoOf(value("repo_url"));
  const number = value("issue_number");
  return {
    runId,
    issueKey: repo === "" || number === "" ? "" : `${repo}#${number}`,
    parent: value("afk_parent"),
  };
}

/**
 * Returns how long the lease is held, in milliseconds, or null if the template cannot store it. It is stored as a duration, so
 * that only the server's clock counts.
 */
export function readHoldMs(parameters: readonly BuildParameter[]): number | null {
  const value = parameters.find(({ name }) => name === "afk_lease_seconds")?.value ?? "";
  return /^\d{1,9}$/.test(value) ? Math.min(Number(value) * 1000, MAX_HOLD_MS) : null;
}

/** Returns whether the lease is ours. It is not if the template has no `run_id`, because nothing can be proven then. */
export function isOurLease(
  lease: Lease,
  names: readonly LeaseName[],
  found: readonly BuildParameter[],
): boolean {
  const { number } = splitIssueKey(lease.issueKey);
  const claims: [LeaseName, string][] = [
    ["run_id", runIdValue(lease, names)],
    ["issue_number", number],
    ["afk_parent", lease.parent],
  ];
  const carried = claims.filter(([name]) => names.includes(name));
  const isMatch = carried.every(([name, value]) =>
    found.some((parameter) => parameter.name === name && parameter.value === value),
  );
  return isMatch && names.includes("run_id");
}

const MARKED_RUN_ID = /^(\S+)-[0-9a-f]{8}$/;

/**
 * Returns the stored run id. Parents that begin in the same second share a run id; if the template has no `afk_parent` to
 * distinguish them, a mark is added.
 */
function runIdValue({ runId, parent, issueKey }: Lease, names: readonly LeaseName[]): string {
  if (names.includes("afk_parent")) return runId;
  const mark = createHash("sha256")
    .update(JSON.stringify([parent, issueKey]))
    .digest("hex");
  return `${runId}-${mark.slice(0, 8)}`;
}

function splitIssueKey(issueKey: string): { repo: string; number: string } {
  const at = issueKey.lastIndexOf("#");
  if (at === -1) throw new Error(`not an issue key: ${issueKey}`);
  return { repo: issueKey.slice(0, at), number: issueKey.slice(at + 1) };
}

/** Returns `owner/repo` for `https://github.com/owner/repo.git` and `git@host:owner/repo`. */
function repoOf(url: string): string {
  return /([^/:]+\/[^/]+?)(?:\.git)?\/?$/.exec(url)?.[1] ?? "";
}
