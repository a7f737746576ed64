import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { defaultRunFlags, readConfig, readEnvironment, resolveSettings } from "../../src/config/index.ts";
import { readCheckout } from "../../src/demo/triage-agent/checkout.ts";
import { fileNamed, ROOT } from "./workflow-files.ts";

describe("the project triages its own issues", () => {
  test("the project's config file is valid for the program itself", async () => {
    const config = await readConfig(join(ROOT, ".github", "afk-triage.yml"), readEnvironment({}));
    const settings = resolveSettings(defaultRunFlags, readEnvironment({ GITHUB_REPOSITORY: "o/r" }), config);
    expect(settings).toMatchObject({
      provider: "coder",
      triageAgent: { kind: "claude-code", mode: "print" },
    });
    // The workflow's deadline leaves enough time for a run, and every budget is bounded (T9).
    expect(settings.batch.runDeadlineMs).toBeLessThan(50 * 60_000);
    expect(settings.batch.budget.runUsd).toBeLessThan(settings.batch.budget.batchUsd ?? 0);
    // The workflow's triggers compare labels by name.
    const { labels } = settings.batch;
    const text = fileNamed(".github/workflows/triage.yml").text;
    for (const label of [labels["needs-triage"], labels["needs-info"]]) expect(text).toContain(`'${label}'`);
  });

  test("the notes on rejected features are where a Triage Agent looks for them", () => {
    const notes = readCheckout(ROOT).scopeNotes.filter(({ concept }) => concept !== "README");
    expect(notes.map(({ concept }) => concept)).toEqual(
      expect.arrayContaining([
        "a-triage-agent-that-writes-to-github",
        "coder-tasks",
        "questions-while-it-runs",
      ]),
    );
    for (const { text } of notes)
      expect(text).toMatch(/\*\*Decided:\*\* \d{4}-\d{2}-\d{2}\. \*\*Instead:\*\* /);
  });
});
