import { type Refusal, refused } from "../release-error.ts";

export interface BranchFacts {
  branch: string;
  /** The content that the branch must have. */
  wanted: { parent: string; tree: string };
  /** null: there is no such branch here. */
  local: { commit: string; parents: readonly string[]; tree: string } | null;
  /** Where the remote has it; null: not there. */
  remote: string | null;
  /** Commits that an earlier prep made for this version. */
  ours: ReadonlySet<string>;
  /** Checked out somewhere. */
  isInUse: boolean;
}

export type BranchPlan =
  /** `replaces`: a commit that prep made and nobody has added to; null: the branch is new. */
  | { type: "write"; replaces: string | null }
  /** It holds exactly this already. */
  | { type: "keep"; commit: string };

/** Plans the release branch. A commit that a person added is never moved. */
export function planBranch(facts: BranchFacts): BranchPlan | Refusal {
  const { branch, wanted, local, remote, ours, isInUse } = facts;
  const isWanted =
    local !== null &&
    local.tree === wanted.tree &&
    local.parents.length === 1 &&
    local.parents[0] === wanted.parent;
  const isForeignThere = remote !== null && !ours.has(remote) && !(isWanted && remote === local.commit);
  if (isForeignThere)
    return taken(
      `the remote has ${branch} at ${remote.slice(0, 8)}, which prep did not write`,
      "Finish or close that release's pull request and delete the branch there.",
    );
  if (isWanted) return { type: "keep", commit: local.commit };
  if (local === null) return { type: "write", replaces: null };
  if (!ours.has(local.commit))
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
