import type { NewLabel } from "../github/index.ts";
import type { LabelNames } from "../triage/index.ts";

/** Colours of GitHub's own palette: one for states that wait, one for states that are ready. */
const LOOKS: Record<keyof LabelNames, Omit<NewLabel, "name">> = {
  bug: { color: "d73a4a", description: "Something that worked or is documented does not" },
  enhancement: { color: "a2eeef", description: "Something new or different is asked for" },
  "needs-triage": { color: "fbca04", description: "Waits for triage" },
  "needs-info": { color: "d876e3", description: "Waits for an answer of the reporter" },
  "ready-for-agent": { color: "0e8a16", description: "Has a brief an implementation agent can start from" },
  "ready-for-human": { color: "1d76db", description: "Needs the judgement of a maintainer" },
  wontfix: { color: "ffffff", description: "Will not be worked on" },
};

/** Returns the labels of all roles, with their names in this repository. */
export function triageLabels(names: LabelNames): NewLabel[] {
  return (Object.keys(LOOKS) as (keyof LabelNames)[]).map((role) => {
    const { color, description } = LOOKS[role];
    return { name: names[role], color, description };
  });
}
