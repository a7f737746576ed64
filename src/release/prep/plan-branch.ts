import { type Refusal, refused } from "../release-error.ts";
import type { BranchCommit } from "./prepared-commit.ts";

export interface BranchFacts {
  branch: string;
  /** The content that the branch must have. */
  wanted: { parent: string; tree: string };
  /** null if the branch does not exist here. */
  local: BranchCommit | null;
  /** null: the remote has no such branch. */
  remote: BranchCommit | null;
  /** Whether the branch is checked out somewhere. */
  isInUse: boolean;
}

export type BranchPlan =
  /** `replaces`: a commit that prep made and to which no person has added anything; null: the branch is new here. */
  | { type: "write"; replaces: string | null }
  /** The branch already has exactly this content. */
  | { type: "keep"; commit: string }
  /** The remote has exactly this already, and there is no such branch here. */
  | { type: "take"; commit: string };

/** Returns what to do with the release branch. A commit that a person added is never moved. */
export function planBranch({ branch, wanted, local, remote, isInUse }: BranchFacts): BranchPlan | Refusal {
  const isWanted = ({ tree, parents }: BranchCommit): boolean =>
    tree === wanted.tree && parents.length === 1 && parents[0] === wanted.parent;
  const isKept = local !== null && isWanted(local);
  if (remote !== null && !remote.isOurs && !(isKept && remote.commit === local.commit))
    return taken(
      `the remote has ${branch} at ${remote.commit.slice(0, 8)}, which prep did not write`,
      "Finish or close that release's pull request and delete the branch there.",
    );
  if (isKept) return { type: "keep", commit: local.commit };
  if (local === null)
    return remote !== null && isWanted(remote)
      ? { type: "take", commit: remote.commit }
      : { type: "write", replaces: null };
  if (!local.isOurs)
    return taken(
      `${branch} is at ${local.commit.slice(0, 8)}, which prep did not write`,
      `Keep that work under another name: git branch -m ${branch} ${branch}-kept`,
    );
  if (isInUse)
    return taken(
      `${branch} is checked out and would have to move`,
      "Switch that checkout to another branch.",
    );
  return { type: "write", replaces: local.commit };
}

function taken(seen: string, remedy: string): Refusal {
  return refused("RELEASE_BRANCH_TAKEN", `write the release branch: ${seen}`, remedy);
}
