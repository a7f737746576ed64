import { expect, test } from "vitest";
import {
  applyInit,
  describePlan,
  type InitFacts,
  isDone,
  isRefused,
  lineDiff,
  planInit,
  triageLabels,
} from "../../src/init/index.ts";
import { defaultLabelNames } from "../../src/triage/index.ts";
import { createVirtualClock } from "agent-tty/testing";
import { createFakeGithub } from "../support/github/fake-github.ts";

const label = { name: "needs-triage", color: "fbca04", description: "Waits for triage" };

function facts(change: Partial<InitFacts> & { current?: string | null } = {}): InitFacts {
  const { current = null, ...rest } = change;
  return {
    repo: "octo/widgets",
    files: [{ path: "a.yml", wanted: "one\ntwo\n", current }],
    labels: { wanted: [label], present: [] },
    force: false,
    ...rest,
  };
}

test("planInit creates absent files, keeps equal ones and refuses different ones unless forced", () => {
  const rows: [InitFacts, string, string, boolean][] = [
    [facts(), "write", "create", false],
    [facts({ current: "one\ntwo\n" }), "keep", "create", false],
    [facts({ current: "one\n" }), "refuse", "create", true],
    [facts({ current: "one\n", force: true }), "overwrite", "create", false],
    [facts({ labels: { wanted: [label], present: ["Needs-Triage"] } }), "write", "keep", false],
  ];
  for (const [given, file, made, refused] of rows) {
    const plan = planInit(given);
    expect([plan.files[0]?.action, plan.labels[0]?.action, isRefused(plan)]).toEqual([file, made, refused]);
  }
  const there = planInit(
    facts({ current: "one\ntwo\n", labels: { wanted: [label], present: [label.name] } }),
  );
  expect(isDone(there)).toBe(true);
});

test("the plan shows every file, its difference, and every label with its colour and description", () => {
  expect(describePlan(planInit(facts({ current: "one\nthree\n" })))).toEqual([
    "DIFFERS    a.yml",
    "              one",
    "             -three",
    "             +two",
    "              ",
    "create     label needs-triage of octo/widgets (#fbca04, Waits for triage)",
  ]);
});

test("a difference is shown line by line, with some context lines", () => {
  const rows: [string, string, string[]][] = [
    ["a", "a", ["…"]],
    ["", "a", ["-", "+a"]],
    ["a\nb\nc", "a\nc", [" a", "-b", " c"]],
    ["1\n2\n3\n4\n5\n6\n7", "1\n2\n3\n4\n5\n6\nx", ["…", " 5", " 6", "-7", "+x"]],
  ];
  for (const [before, after, lines] of rows) expect(lineDiff(before, after)).toEqual(lines);
});

test("every role has a label within GitHub's limits, with the name that the repository uses (A31)", () => {
  const labels = triageLabels({ ...defaultLabelNames, bug: "kind/bug" });
  expect(labels.map(({ name }) => name).toSorted()).toEqual(
    Object.values({ ...defaultLabelNames, bug: "kind/bug" }).toSorted(),
  );
  for (const { color, description } of labels) {
    expect(color).toMatch(/^[0-9a-f]{6}$/);
    expect(description.length).toBeLessThanOrEqual(100);
  }
});

test("labels come before files; after a stop at any step, a new plan completes the work", async () => {
  const wanted = triageLabels({ ...defaultLabelNames, bug: "kind/bug", wontfix: "declined" });
  for (let steps = 0; steps <= 4; steps += 1) {
    const github = createFakeGithub({ clock: createVirtualClock() });
    const written = new Map<string, string>();
    const controller = new AbortController();
    let left = steps;
    const ports = {
      labels: github.labelRegistry,
      writeFile: (path: string, text: string) => Promise.resolve(void written.set(path, text)),
      observe: () => void (--left === 0 && controller.abort(new Error("stopped"))),
    };
    const plan = async () =>
      planInit({
        ...facts(),
        files: ["a.yml", "b.yml"].map((path) => ({
          path,
          wanted: "text",
          current: written.get(path) ?? null,
        })),
        labels: {
          wanted,
          present: await github.labelRegistry.names("octo/widgets", new AbortController().signal),
        },
      });
    if (steps === 0) controller.abort(new Error("stopped"));
    const outcome = await applyInit(await plan(), ports, controller.signal).then(
      () => "done",
      (error: Error) => error.message,
    );
    expect(outcome).toBe(steps === 4 ? "done" : "stopped");
    expect(written.size).toBe(Math.max(0, steps - 2));
    await applyInit(await plan(), ports, new AbortController().signal);
    expect(isDone(await plan())).toBe(true);
  }
});
