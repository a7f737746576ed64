import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fillTemplate } from "../../src/triage/template.ts";
import { readTemplate } from "../../src/triage/package-folder.ts";
import { parse } from "yaml";

export const ROOT = join(import.meta.dirname, "..", "..");

/** A workflow or an action, as text and parsed. */
export interface WorkflowFile {
  /** The path at which GitHub would find it; for a template, the path to which `afk-triage init` writes it. */
  path: string;
  text: string;
  document: WorkflowDocument;
}

export interface WorkflowDocument {
  on?: unknown;
  permissions?: unknown;
  concurrency?: string | { group?: string };
  defaults?: { run?: { shell?: string } };
  jobs?: Record<string, Job>;
  inputs?: Record<string, { required?: boolean; default?: string }>;
  outputs?: Record<string, { value: string }>;
  runs?: { using: string; steps: Step[] };
}

export interface Job {
  if?: string;
  uses?: string;
  secrets?: unknown;
  permissions?: unknown;
  environment?: unknown;
  "timeout-minutes"?: number;
  defaults?: { run?: { shell?: string } };
  strategy?: { matrix: Record<string, unknown> };
  steps?: Step[];
}

export interface Step {
  id?: string;
  if?: string;
  uses?: string;
  run?: string;
  shell?: string;
  env?: Record<string, unknown>;
  with?: Record<string, unknown>;
}

export function workflowFile(path: string, text: string): WorkflowFile {
  return { path, text, document: parse(text) as WorkflowDocument };
}

export const TEMPLATE_VALUES = {
  cron: "17 */6 * * *",
  version: "1.2.3",
  integrity: "",
  "needs-triage": "needs-triage",
  "needs-info": "needs-info",
};

/** Every workflow and action of this repository, and the workflow that users get. */
export const WORKFLOW_FILES: readonly WorkflowFile[] = [
  ...filesOf(".github/workflows"),
  ...filesOf(".github/actions"),
  workflowFile(
    ".github/workflows/triage-of-others.yml",
    fillTemplate(readTemplate("workflow/triage.yml"), TEMPLATE_VALUES),
  ),
  workflowFile(
    ".github/workflows/sweep-of-others.yml",
    fillTemplate(readTemplate("workflow/sweep.yml"), TEMPLATE_VALUES),
  ),
];

export function fileNamed(path: string): WorkflowFile {
  const file = WORKFLOW_FILES.find((each) => each.path === path);
  if (file === undefined) throw new Error(`there is no ${path}`);
  return file;
}

export function concurrencyGroupOf({ document }: WorkflowFile): string | undefined {
  const { concurrency } = document;
  return typeof concurrency === "object" ? concurrency.group : concurrency;
}

export function stepsOf({ document }: WorkflowFile): { where: string; step: Step }[] {
  const jobs = Object.entries(document.jobs ?? {}).flatMap(([name, job]) =>
    (job.steps ?? []).map((step, index) => ({ where: `job ${name}, step ${index + 1}`, step })),
  );
  const steps = (document.runs?.steps ?? []).map((step, index) => ({ where: `step ${index + 1}`, step }));
  return [...jobs, ...steps];
}

function filesOf(folder: string): WorkflowFile[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.ya?ml$/.test(path))
    .toSorted()
    .map((path) => workflowFile(`${folder}/${path}`, readFileSync(join(ROOT, folder, path), "utf8")));
}
