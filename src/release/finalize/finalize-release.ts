import type { Ids } from "agent-tty/kit";
import { gt, rcompare, valid } from "semver";
import { checkoutRefusal } from "../checkout-refusal.ts";
import {
  commonDirectory,
  createTag,
  fetchRemote,
  type Git,
  pushRef,
  readCheckout,
  readTags,
} from "../git/index.ts";
import { holdRepository, type TakeLock, repositoryDirectory } from "../release-record.ts";
import { releaseError } from "../release-error.ts";
import { releaseBranchOf, tagOf } from "../release-tag.ts";
import { type FinalizePlan, planFinalize } from "./plan-finalize.ts";
import { readLandedRelease } from "./read-landed-release.ts";

export interface FinalizeOptions {
  remote: string;
  /** null selects the merged version. */
  version: string | null;
  /** If false, tags are signed only if tag.gpgSign is set. */
  sign: boolean;
  push: boolean;
  dryRun: boolean;
}

/** Called after each step. The program may be interrupted after each of them. */
export type FinalizeStep = "locked" | "fetched" | "planned" | "tagged" | "pushed";

export interface FinalizePorts {
  git: Git;
  /** The directory `<home>/releases`. */
  releasesDirectory: string;
  takeLock: TakeLock;
  ids: Ids;
  observe: (step: FinalizeStep) => void | Promise<void>;
}

/** The document that `release finalize` prints to stdout. */
export interface FinalizeSummary {
  schema: "afk-triage/release-finalize@1";
  /** `published`: the remote has the tag, which starts the Publish Pipeline. */
  status: "planned" | "tagged" | "published";
  version: string;
  tag: string;
  commit: string;
  /** The number of commits of the default branch that came after the release and are not in it. */
  commitsAbove: number;
  signed: boolean;
  /** True if this run did it; an earlier run may have done it already. */
  created: boolean;
  pushed: boolean;
  next: string[];
}

/** Tags the merged release and, on request, publishes the tag (A24). Rejects with the codes of ReleaseErrorCode. */
export async function finalizeRelease(
  options: FinalizeOptions,
  ports: FinalizePorts,
): Promise<FinalizeSummary> {
  const { git, observe } = ports;
  const directory = repositoryDirectory(ports.releasesDirectory, await commonDirectory(git));
  using _lock = await holdRepository(directory, ports.takeLock);
  await observe("locked");
  const remote = await fetchRemote(git, options.remote);
  await observe("fetched");
  const refusal = checkoutRefusal(await readCheckout(git), remote);
  if (refusal !== null) throw releaseError(refusal);
  const landed = await readLandedRelease(git, remote.commit);
  const tag = tagOf(landed.version);
  const plan = planFinalize(
    {
      remoteName: remote.name,
      landed,
      localTag: (await readTags(git)).get(tag) ?? null,
      remoteTagCommit: remote.tags.get(tag)?.commit ?? null,
      sign: options.sign || (await signsTags(git)),
      preparedVersion: await newestPrepared(git, remote.name, landed.version),
    },
    options.version,
  );
  if (plan.type === "refused") throw releaseError(plan);
  await observe("planned");
  const done = options.dryRun
    ? { created: false, pushed: false }
    : await apply(plan, remote.name, options, ports);
  const isOnRemote = plan.isPublished || done.pushed;
  const local = options.dryRun ? "planned" : "tagged";
  return {
    schema: "afk-triage/release-finalize@1",
    status: isOnRemote ? "published" : local,
    version: landed.version,
    tag,
    commit: plan.commit,
    commitsAbove: landed.commitsAbove,
    signed: await isSigned(git, tag),
    ...done,
    next: isOnRemote ? [] : ["afk-triage release finalize --push"],
  };
}

async function apply(
  plan: FinalizePlan,
  remoteName: string,
  options: FinalizeOptions,
  { git, observe }: FinalizePorts,
): Promise<{ created: boolean; pushed: boolean }> {
  if (plan.creates) await createTag(git, { ...plan, name: plan.tag });
  await observe("tagged");
  const pushed = options.push && !plan.isPublished;
  if (pushed) {
    const ref = `refs/tags/${plan.tag}`;
    await pushRef(git, remoteName, { from: ref, to: ref, expected: null });
    await observe("pushed");
  }
  return { created: plan.creates, pushed };
}

/**
 * Returns the newest version that is prepared and not merged, from the branches here and on the remote; null if there is none. A
 * merged branch that was kept has a version that has landed.
 */
async function newestPrepared(git: Git, remoteName: string, landed: string): Promise<string | null> {
  const prefix = releaseBranchOf("");
  const [here, there] = await Promise.all([
    git.text(["for-each-ref", "--format=%(refname)", `refs/heads/${prefix}*`]),
    git.text(["ls-remote", "--heads", remoteName, `refs/heads/${prefix}*`]),
  ]);
  const versions = [...`${here}\n${there}`.matchAll(/refs\/heads\/(\S+)/g)]
    .flatMap(([, branch = ""]) => valid(branch.slice(prefix.length)) ?? [])
    .filter((version) => gt(version, landed));
  return versions.toSorted(rcompare)[0] ?? null;
}

async function signsTags(git: Git): Promise<boolean> {
  return (await git.ask(["config", "--type=bool", "--get", "tag.gpgSign"])).stdout === "true";
}

async function isSigned(git: Git, tag: string): Promise<boolean> {
  const content = await git.ask(["cat-file", "tag", `refs/tags/${tag}`]);
  return /^-----BEGIN (?:PGP|SSH|SIGNED) (?:SIGNATURE|MESSAGE)/m.test(content.stdout);
}
