import { z } from "zod";
import { defaultLabelNames, type LabelNames } from "../triage/index.ts";
import { setting } from "./setting.ts";

const labelName = z
  .string()
  .trim()
  .min(1)
  .max(50)
  .regex(/^[^,]*$/, "expected a label name without a comma");

const labelFor = (role: keyof LabelNames) =>
  setting(labelName, {
    meaning: `The label that means \`${role}\` here.`,
    owner: "repository",
    fallback: defaultLabelNames[role],
  });

/** Refuses two roles with the same label, since a label shows which role an issue has. GitHub ignores case in labels. */
function refuseSharedLabels(
  named: Partial<Record<keyof LabelNames, string | undefined>>,
  context: z.core.$RefinementCtx,
): void {
  const roles = Object.keys(defaultLabelNames) as (keyof LabelNames)[];
  const labelOf = (role: keyof LabelNames): string => named[role] ?? defaultLabelNames[role];
  for (const role of roles.filter((each) => named[each] !== undefined)) {
    const label = labelOf(role);
    const other = roles.find((each) => each !== role && labelOf(each).toLowerCase() === label.toLowerCase());
    if (other === undefined) continue;
    context.addIssue({
      code: "custom",
      path: [role],
      message: `the label "${label}" already means ${other}: give ${role} a label of its own`,
    });
  }
}

/** The labels of the repository, by role. */
export const labelsSchema = z
  .strictObject({
    bug: labelFor("bug"),
    enhancement: labelFor("enhancement"),
    "needs-triage": labelFor("needs-triage"),
    "needs-info": labelFor("needs-info"),
    "ready-for-agent": labelFor("ready-for-agent"),
    "ready-for-human": labelFor("ready-for-human"),
    wontfix: labelFor("wontfix"),
  })
  .superRefine(refuseSharedLabels);
