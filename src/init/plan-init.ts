import type { NewLabel, RepositoryName } from "../github/index.ts";
import { lineDiff } from "./line-diff.ts";

export interface InitFacts {
  repo: RepositoryName;
  files: readonly { path: string; wanted: string; current: string | null }[];
  labels: { wanted: readonly NewLabel[]; present: readonly string[] };
  /** Whether a file that differs may be overwritten. */
  force: boolean;
}

export interface InitPlan {
  repo: RepositoryName;
  files: readonly PlannedFile[];
  labels: readonly PlannedLabel[];
}

export type PlannedFile = { path: string; text: string } & (
  | { action: "keep" }
  /** The lines of `diff` begin with a space, a minus (present now) or a plus (wanted). */
  | { action: "write" | "overwrite" | "refuse"; diff: readonly string[] }
);

export type PlannedLabel = NewLabel & { action: "create" | "keep" };

/** Returns the action of `init` for each file and label. Pure. A file that differs is refused unless `force` is set. */
export function planInit({ repo, files, labels, force }: InitFacts): InitPlan {
  const known = new Set(labels.present.map((name) => name.toLowerCase()));
  return {
    repo,
    files: files.map(({ path, wanted: text, current }): PlannedFile => {
      if (current === null) return { path, text, action: "write", diff: newLines(text) };
      if (current === text) return { path, text, action: "keep" };
      return { path, text, action: force ? "overwrite" : "refuse", diff: lineDiff(current, text) };
    }),
    labels: labels.wanted.map((label) => ({
      ...label,
      action: known.has(label.name.toLowerCase()) ? "keep" : "create",
    })),
  };
}

function newLines(text: string): string[] {
  return text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => `+${line}`);
}

/** Returns whether a file differs from the wanted one and may not be overwritten. */
export function isRefused({ files }: InitPlan): boolean {
  return files.some(({ action }) => action === "refuse");
}

/** Returns whether all files and labels are already as wanted. */
export function isDone({ files, labels }: InitPlan): boolean {
  return [...files, ...labels].every(({ action }) => action === "keep");
}

/** Returns the plan as lines for people, to show before it is applied. */
export function describePlan({ repo, files, labels }: InitPlan): string[] {
  const verbs = {
    write: "write    ",
    keep: "keep     ",
    overwrite: "overwrite",
    refuse: "DIFFERS  ",
    create: "create   ",
  };
  return [
    ...files.flatMap((file) => [
      `${verbs[file.action]}  ${file.path}`,
      ...("diff" in file ? file.diff.map((line) => `             ${line}`) : []),
    ]),
    ...labels.map(
      ({ action, name, color, description }) =>
        `${verbs[action]}  label ${name} of ${repo}${action === "keep" ? "" : ` (#${color}, ${description})`}`,
    ),
  ];
}
