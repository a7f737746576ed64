import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  addWorktree,
  branchCommit,
  commitStaged,
  type Git,
  pushRef,
  type RemoteFacts,
  removeWorktree,
  setBranch,
  stagedTree,
} from "../git/index.ts";
import type { VerificationEvidence } from "../evidence/index.ts";
import { openReleaseRecord, type ReleaseRecord } from "../release-record.ts";
import { releaseError } from "../release-error.ts";
import { type BranchPlan, planBranch } from "./plan-branch.ts";
import type { PrepPlan } from "./plan-prep.ts";
import type { PrepOptions, PrepPorts } from "./prep-ports.ts";
import { type BranchCommit, fetchCommit, preparedMessage, readBranchCommit } from "./prepared-commit.ts";

export interface AppliedPrep {
  commit: string;
  branchAction: "created" | "kept" | "replaced";
  evidence: VerificationEvidence;
  /** The evidence is from an earlier prep of the same commit. */
  isEvidenceReused: boolean;
  isPushed: boolean;
  record: ReleaseRecord;
}

const WORKTREE_PREFIX = "worktree-";

/**
 * Applies the plan step by step. Every step continues from what an earlier, interrupted prep left. The user's own checkout is
 * never touched: the commit is created and verified in a temporary one. `directory` holds everything that is kept of the
 * repository.
 */
export async function applyPrep(
  plan: PrepPlan,
  remote: RemoteFacts,
  options: PrepOptions,
  ports: PrepPorts & { directory: string },
): Promise<AppliedPrep> {
  const { git, directory, observe } = ports;
  await sweepWorktrees(git, directory);
  const path = join(directory, `${WORKTREE_PREFIX}${ports.ids.hex(4)}`);
  await using worktree = await addWorktree(git, path, plan.base.commit);
  await observe("worktree-added");
  const record = await openReleaseRecord(directory, plan.version, ports.ids);
  const tree = await writeFiles(worktree, plan);
  await observe("files-written");
  const branch = await branchPlan(plan, remote, tree, record, git);
  const commit = await writeBranch(branch, plan, tree, { worktree, git, record, observe });
  await observe("branch-set");
  const { evidence, isEvidenceReused } = await verify(commit, plan, options, { ...ports, worktree, record });
  await observe("verified");
  const isPushed = options.push && evidence.status === "passed";
  if (isPushed) {
    await push(plan.branch, commit, remote, git);
    await observe("pushed");
  }
  const branchAction = actionOf(branch, remote.branches.has(plan.branch));
  return { commit, branchAction, evidence, isEvidenceReused, isPushed, record };
}

/** Removes the worktrees of killed preps. While we hold the lock, no other process works in them. */
async function sweepWorktrees(git: Git, directory: string): Promise<void> {
  const left = (await readdir(directory)).filter((name) => name.startsWith(WORKTREE_PREFIX));
  for (const name of left) await removeWorktree(git, join(directory, name));
}

async function writeFiles(worktree: Git, { files }: PrepPlan): Promise<string> {
  for (const { path, text } of files) await writeFile(join(worktree.directory, path), text);
  return stagedTree(
    worktree,
    files.map(({ path }) => path),
  );
}

async function branchPlan(
  { branch, base }: PrepPlan,
  remote: RemoteFacts,
  tree: string,
  record: ReleaseRecord,
  git: Git,
): Promise<BranchPlan> {
  const read = async (commit: string | null): Promise<BranchCommit | null> =>
    commit === null ? null : readBranchCommit(git, commit, base.commit, record.commits());
  const there = remote.branches.get(branch) ?? null;
  if (there !== null) await fetchCommit(git, remote, branch, there);
  const plan = planBranch({
    branch,
    wanted: { parent: base.commit, tree },
    local: await read(await branchCommit(git, branch)),
    remote: await read(there),
    isInUse: (await git.text(["worktree", "list", "--porcelain"]))
      .split("\n")
      .includes(`branch refs/heads/${branch}`),
  });
  if (plan.type === "refused") throw releaseError(plan);
  return plan;
}

async function writeBranch(
  branch: BranchPlan,
  plan: PrepPlan,
  tree: string,
  ports: { worktree: Git; git: Git; record: ReleaseRecord } & Pick<PrepPorts, "observe">,
): Promise<string> {
  if (branch.type === "keep") return branch.commit;
  const commit =
    branch.type === "take"
      ? branch.commit
      : await commitStaged(ports.worktree, preparedMessage(plan.message, tree));
  await ports.observe("committed");
  await ports.record.addCommit(commit);
  await ports.observe("recorded");
  await setBranch(ports.git, plan.branch, commit, branch.type === "take" ? null : branch.replaces);
  return commit;
}

async function verify(
  commit: string,
  plan: PrepPlan,
  { setup, verify: commands, verifyTimeoutMs }: PrepOptions,
  ports: PrepPorts & { worktree: Git; record: ReleaseRecord },
): Promise<{ evidence: VerificationEvidence; isEvidenceReused: boolean }> {
  const earlier = ports.record.passed(commit, [...setup, ...commands]);
  if (earlier !== null) return { evidence: earlier, isEvidenceReused: true };
  await ports.observe("verifying");
  const evidence = await ports.collectEvidence({
    name: `release ${plan.version}`,
    directory: ports.worktree.directory,
    setup,
    verify: commands,
    callerTimeoutMs: verifyTimeoutMs,
    recordingPath: join(ports.record.directory, `${ports.ids.ulid()}.cast`),
  });
  await ports.observe("evidence-collected");
  await ports.record.addVerification(commit, evidence);
  return { evidence, isEvidenceReused: false };
}

async function push(branch: string, commit: string, remote: RemoteFacts, git: Git): Promise<void> {
  const there = remote.branches.get(branch) ?? null;
  if (there === commit) return;
  await pushRef(git, remote.name, { from: commit, to: `refs/heads/${branch}`, expected: there });
}

function actionOf(branch: BranchPlan, isThere: boolean): AppliedPrep["branchAction"] {
  if (branch.type !== "write") return "kept";
  return branch.replaces === null && !isThere ? "created" : "replaced";
}
