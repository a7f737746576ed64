import { PINNED_ACTIONS } from "./pinned-actions.ts";
import { concurrencyGroupOf, type Job, type Step, stepsOf, type WorkflowFile } from "./workflow-files.ts";

/** Returns the violations of S19 that a syntax validator accepts. Each line names the place, the problem and the remedy. */
export function violationsOf(file: WorkflowFile): string[] {
  const isWorkflow = file.document.jobs !== undefined;
  return [
    ...stepsOf(file).flatMap(({ where, step }) => stepViolations(file, where, step)),
    ...(isWorkflow ? workflowViolations(file) : actionViolations(file)),
  ].map((violation) => `${file.path}: ${violation}`);
}

function stepViolations(file: WorkflowFile, where: string, step: Step): string[] {
  return [
    ...(step.uses === undefined ? [] : usesViolations(file, step.uses)),
    ...(step.uses?.startsWith("actions/checkout@") && step.with?.["persist-credentials"] !== false
      ? ["the checkout leaves a token in .git/config: add persist-credentials: false"]
      : []),
    ...(step.run?.includes("${{") ? ["an expression inside run: is shell text: pass it through env:"] : []),
    ...(typeof step.with?.["script"] === "string" && step.with["script"].includes("${{")
      ? ["an expression inside script: is program text: pass it through env:"]
      : []),
  ].map((violation) => `${where}: ${violation}`);
}

function usesViolations({ text }: WorkflowFile, uses: string): string[] {
  if (uses.startsWith("./")) return [];
  const [, name = "", commit = ""] = /^([\w-]+\/[\w./-]+)@([0-9a-f]{40})$/.exec(uses) ?? [];
  if (name === "") return [`${uses} is not pinned: name its full commit`];
  const pinned = PINNED_ACTIONS[name];
  if (pinned?.commit !== commit)
    return [`${uses} is not the commit in test/workflows/pinned-actions.ts: review it, then list it there`];
  const comment = new RegExp(`${uses.replaceAll(/[./]/g, "\\$&")} # (v\\S+)$`, "gm");
  const versions = [...text.matchAll(comment)].map(([, version]) => version);
  const uncommented = text.split(uses).length - 1 - versions.length;
  return uncommented > 0 || versions.some((version) => version !== pinned.version)
    ? [`${uses} needs the comment # ${pinned.version}`]
    : [];
}

function workflowViolations(file: WorkflowFile): string[] {
  const { document } = file;
  const triggers = triggersOf(document.on);
  const forbidden = ["pull_request_target", "workflow_run"].filter((trigger) => triggers.includes(trigger));
  return [
    ...forbidden.map((trigger) => `${trigger} runs foreign code with our token and secrets: do not use it`),
    ...(isLeast(document.permissions)
      ? []
      : ["the workflow's permissions are not {} or contents: read: give each job its own"]),
    ...(concurrencyGroupOf(file) === undefined ? ["no concurrency group: two runs meet"] : []),
    ...Object.entries(document.jobs ?? {}).flatMap(([name, job]) =>
      jobViolations(file, job, triggers).map((violation) => `job ${name}: ${violation}`),
    ),
  ];
}

function jobViolations({ document }: WorkflowFile, job: Job, triggers: readonly string[]): string[] {
  const shell = job.defaults?.run?.shell ?? document.defaults?.run?.shell;
  const runs = (job.steps ?? []).filter(({ run }) => run !== undefined);
  const text = JSON.stringify(job);
  const isForForks = triggers.includes("pull_request");
  return [
    ...(typeof job.permissions === "object" && job.permissions !== null
      ? []
      : ["no permissions of its own: list what it needs, or {}"]),
    ...(job["timeout-minutes"] === undefined && job.uses === undefined
      ? ["no timeout-minutes: a hung job lasts six hours"]
      : []),
    ...(runs.some((step) => (step.shell ?? shell) !== "bash")
      ? ["a run: step without shell: bash, which alone has pipefail"]
      : []),
    ...(job.secrets === "inherit" ? ["secrets: inherit hands on every secret: name them"] : []),
    ...(isForForks && /secrets\s*[.[]|"environment":|"id-token"|"[a-z-]+":"write"/.test(text)
      ? ["a job that runs on pull requests holds a secret, an environment or a write permission"]
      : []),
  ];
}

function actionViolations({ document, text }: WorkflowFile): string[] {
  const steps = document.runs?.steps ?? [];
  const inputs = new Set(Object.keys(document.inputs ?? {}));
  const used = new Set(namesAfter("inputs", text));
  const ids = new Set(steps.map(({ id }) => id));
  return [
    ...steps.flatMap((step, index) =>
      step.run !== undefined && step.shell !== "bash" ? [`step ${index + 1}: add shell: bash`] : [],
    ),
    ...[...used].flatMap((name) => (inputs.has(name) ? [] : [`there is no input ${name}`])),
    ...[...inputs].flatMap((name) => (used.has(name) ? [] : [`the input ${name} is not used`])),
    ...namesAfter("steps", text).flatMap((id) => (ids.has(id) ? [] : [`there is no step ${id}`])),
  ];
}

function namesAfter(context: string, text: string): string[] {
  return [...text.matchAll(new RegExp(`\\b${context}\\.([\\w-]+)`, "g"))].map(([, name = ""]) => name);
}

function isLeast(permissions: unknown): boolean {
  const entries = Object.entries((permissions ?? { all: "write" }) as Record<string, string>);
  return entries.every(([scope, access]) => scope === "contents" && access === "read");
}

export function triggersOf(on: unknown): string[] {
  if (typeof on === "string") return [on];
  return Array.isArray(on) ? on.map(String) : Object.keys(on ?? {});
}
