import type { CauseTie, SameCause } from "./cause-facts.ts";

export type ProvenCause = Extract<SameCause, { type: "proven" }>;

/** Returns a proof as one sentence for people. Text that a tie quotes is untrusted. */
export function describeSameCause({ change: { kind, commit }, tie }: ProvenCause): string {
  const what = kind === "first-fixed" ? "stop showing the bug" : "begin to show the bug";
  return `Both reproductions ${what} with commit ${commit.slice(0, 12)}, ${describeTie(tie)}.`;
}

function describeTie(tie: CauseTie): string {
  switch (tie.type) {
    case "calls":
      return "and both get the same wrong answer to the same call";
    case "error":
      return `and both end in the same error: ${tie.error}`;
    case "part":
      return `because of the same ${tie.lines} lines of it`;
  }
}
