import type { RepositoryName } from "../github/index.ts";
import { defaultLabelNames, fillTemplate, type LabelNames } from "../triage/index.ts";

export const CONFIG_PATH = ".github/afk-triage.yml";
export const WORKFLOW_PATH = ".github/workflows/triage.yml";
export const SWEEP_PATH = ".github/workflows/sweep.yml";

export interface ConfigValues {
  repo: RepositoryName;
  provider: "coder" | "local";
  coderTemplate: string;
  /** Whether closes are proposed and the other kinds of outcomes have to earn autonomy (E4). */
  isCareful: boolean;
  labels: LabelNames;
}

const DEFAULT_AUTONOMY = `#autonomy:
#  needs-triage: apply
#  needs-info: apply
#  ready-for-agent: apply
#  ready-for-human: apply
#  close: apply`;

const CAREFUL = `autonomy:
  needs-info: earned
  ready-for-agent: earned
  ready-for-human: earned
  close: suggest`;

/**
 * Returns the text of the repository's config file, filled from the template. `isCareful`: closes are proposed, and other
 * outcomes have to earn autonomy.
 */
export function configText(
  template: string,
  { repo, provider, coderTemplate, isCareful, labels }: ConfigValues,
): string {
  // `local` belongs to the machine, and a repository's file that sets it would be refused (S22).
  const written =
    provider === "local" ? "coder # local: --provider local, or this machine's own file" : provider;
  return fillTemplate(template, {
    repo,
    provider: written,
    "coder-template": JSON.stringify(coderTemplate),
    labels: labelsText(labels),
    autonomy: isCareful ? CAREFUL : DEFAULT_AUTONOMY,
  });
}

/**
 * Returns the `labels` section of the config file. Renamed labels are set, because the workflow waits for them; the other labels
 * are shown after a #.
 */
function labelsText(labels: LabelNames): string {
  const roles = Object.keys(defaultLabelNames) as (keyof LabelNames)[];
  const isRenamed = (role: keyof LabelNames): boolean => labels[role] !== defaultLabelNames[role];
  return [
    roles.some(isRenamed) ? "labels:" : "#labels:",
    ...roles.map((role) =>
      isRenamed(role) ? `  ${role}: ${JSON.stringify(labels[role])}` : `#  ${role}: ${labels[role]}`,
    ),
  ].join("\n");
}

/**
 * Returns the text of the triage or sweep workflow, filled from the template. A template without label placeholders gets no labels.
 * Labels are inserted into GitHub expressions, in which a quote must be doubled.
 */
export function workflowText(
  template: string,
  {
    version,
    cron,
    integrity,
    labels,
  }: { version: string; cron: string; integrity: string; labels: LabelNames },
): string {
  const quoted = (label: string): string => label.replaceAll("'", "''");
  return fillTemplate(template, {
    cron,
    version,
    integrity,
    "needs-triage": quoted(labels["needs-triage"]),
    "needs-info": quoted(labels["needs-info"]),
  });
}
