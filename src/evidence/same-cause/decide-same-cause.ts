import type { ProbeState } from "../range/index.ts";
import type { CauseChange, SameCause, SameCauseFacts, SharedCommit } from "./cause-facts.ts";

/**
 * Returns whether two reproductions have one cause (D5). Pure and total. The cause is proven if the scripts agree wherever both
 * could be run, if each flips at every fix of the other (or, when neither is fixed, both become bad at one commit), and if a tie
 * shows that they flip there for one reason.
 */
export function decideSameCause({ changes, shared, tie }: SameCauseFacts): SameCause {
  const contradiction = [...changes.flatMap(commitsOf), ...shared].find(
    ({ first, second }) => first !== second && first !== "untestable" && second !== "untestable",
  );
  if (contradiction !== undefined) return { type: "different", commit: contradiction.commit };
  const fixes = changes.filter(({ kind }) => kind === "first-fixed");
  const decisive = fixes.length > 0 ? fixes : changes;
  if (decisive.length === 0)
    return undecided(null, "No commit is known at which one of the bugs came in or went.");
  const untested = decisive.find((change) => !flipsBoth(change));
  if (untested !== undefined)
    return undecided(
      null,
      `One of the scripts could not be run on both sides of ${untested.commit.slice(0, 12)}.`,
    );
  const [change] = decisive;
  if (change === undefined || tie === null)
    return undecided(change ?? null, "Both change at one commit, which may hold more than one change.");
  return { type: "proven", change, tie };
}

/** Returns whether both scripts change their result at this commit, in the same direction. */
function flipsBoth({ kind, first, second }: CauseChange): boolean {
  const before = kind === "first-fixed" ? "bad" : "good";
  const at = kind === "first-fixed" ? "good" : "bad";
  return [first, second].every((sides) => sides.before === before && sides.at === at);
}

function commitsOf({ commit, first, second }: CauseChange): SharedCommit[] {
  const side = (which: "before" | "at", name: string): SharedCommit => ({
    commit: name,
    first: first[which] satisfies ProbeState,
    second: second[which],
  });
  return [side("before", `${commit}^`), side("at", commit)];
}

function undecided(change: CauseChange | null, reason: string): SameCause {
  return { type: "undecided", change, reason };
}
