import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { chooseSettings, configSchema, defaultRunFlags, readEnvironment } from "../../src/config/index.ts";
import { configText, workflowText } from "../../src/init/index.ts";
import { defaultLabelNames, packageFolder, readTemplate, renderPrompt } from "../../src/triage/index.ts";

const GOLDEN = join(import.meta.dirname, "golden");
const COMMENTS = join(import.meta.dirname, "../triage/golden");
const SWEEP = join(import.meta.dirname, "../sweep/golden");

/**
 * Maps each template to the golden file with its result. Comments have several golden files, one for each way of filling them.
 */
const GOLDEN_OF: Record<string, string> = {
  "prompt.md": join(GOLDEN, "prompt.txt"),
  "config/afk-triage.yml": join(GOLDEN, "config.txt"),
  "workflow/triage.yml": join(GOLDEN, "workflow.txt"),
  "workflow/sweep.yml": join(GOLDEN, "sweep-workflow.txt"),
  "proposal.md": join(COMMENTS, "proposal.txt"),
  "comments/brief.md": join(COMMENTS, "ready-for-human.txt"),
  ...Object.fromEntries(
    ["conflicting-labels", "duplicate", "needs-info", "needs-triage", "ready-for-agent", "ready-for-human", "wontfix"].map(
      (name) => [`comments/${name}.md`, join(COMMENTS, `${name}.txt`)],
    ),
  ),
  ...Object.fromEntries(
    ["duplicate", "fixed", "needs-reproduction", "not-a-bug", "not-reproduced", "still-broken"].map((name) => [
      `sweep/${name}.md`,
      join(SWEEP, `${name}.txt`),
    ]),
  ),
};

test("each template has a golden file of its result", () => {
  const found = readdirSync(packageFolder("templates"), { recursive: true, encoding: "utf8" })
    // These programs are used unchanged, and have tests of their own: the demo's product, and the layer of control runs.
    .filter((path) => !/^(?:demo-product|controls)\//.test(path) && /\.\w+$/.test(path));
  expect(found.toSorted()).toEqual(Object.keys(GOLDEN_OF).toSorted());
  for (const golden of Object.values(GOLDEN_OF)) expect({ golden, there: existsSync(golden) }).toMatchObject({ there: true });
});

test("the filled prompt equals its golden file (A30)", async () => {
  const control = "/run/control";
  const files = {
    checkout: "/run/checkout",
    control,
    issue: `${control}/issue.json`,
    prompt: `${control}/prompt.md`,
    skills: `${control}/skills`,
    outcome: `${control}/outcome.json`,
  };
  const prompt = renderPrompt({ files, repo: "octo/widgets", number: 142, nonce: "5eed" });
  await expect(prompt).toMatchFileSnapshot(GOLDEN_OF["prompt.md"] ?? "");
});

const values = { repo: "octo/widgets", provider: "coder", coderTemplate: "triage", isCareful: false, labels: defaultLabelNames } as const;

test("the filled config file equals its golden file", async () => {
  const text = configText(readTemplate("config/afk-triage.yml"), values);
  await expect(text).toMatchFileSnapshot(GOLDEN_OF["config/afk-triage.yml"] ?? "");
});

test("a careful config file proposes closes and lets the other kinds of outcomes earn autonomy (E4)", () => {
  const text = configText(readTemplate("config/afk-triage.yml"), { ...values, isCareful: true });
  expect(configSchema.parse(parse(text)).autonomy).toEqual({
    "needs-info": "earned",
    "ready-for-agent": "earned",
    "ready-for-human": "earned",
    close: "suggest",
  });
});

test("the filled workflow equals its golden file", async () => {
  const labels = { ...defaultLabelNames, "needs-info": "author's turn" };
  const text = workflowText(readTemplate("workflow/triage.yml"), {
    version: "1.2.3",
    cron: "23 */2 * * *",
    integrity: "sha512-x",
    labels,
  });
  expect(text).toContain("'author''s turn'");
  await expect(text).toMatchFileSnapshot(GOLDEN_OF["workflow/triage.yml"] ?? "");
});

test("the filled workflow of a scheduled sweep equals its golden file, and the home is kept between its runs (W5)", async () => {
  const text = workflowText(readTemplate("workflow/sweep.yml"), {
    version: "1.2.3",
    cron: "37 2 * * *",
    integrity: "sha512-x",
    labels: defaultLabelNames,
  });
  const steps = (parse(text) as { jobs: { sweep: { steps: { with?: Record<string, string> }[] } } }).jobs.sweep.steps;
  const homes = steps.flatMap(({ with: given }) => given?.["home"] ?? given?.["path"] ?? []);
  expect(homes).toEqual([".afk-triage-home", ".afk-triage-home", ".afk-triage-home"]);
  await expect(text).toMatchFileSnapshot(GOLDEN_OF["workflow/sweep.yml"] ?? "");
});

test("the config file contains only existing keys, and the commented values are the defaults", () => {
  const text = configText(readTemplate("config/afk-triage.yml"), values);
  const uncommented = text.replaceAll(/^#(?=\S|  )/gm, "");
  expect(uncommented).not.toBe(text);
  const config = configSchema.parse(parse(uncommented));
  const settings = (given: object) =>
    chooseSettings(defaultRunFlags, readEnvironment({}), configSchema.parse(given)).settings;
  expect(settings(parse(uncommented) as object)).toEqual(settings({ repos: [values.repo] }));
  expect(configSchema.parse(parse(text))).toMatchObject({ repos: [values.repo], provider: "coder" });
  const named = new Set(Object.keys(config));
  const left = Object.keys(configSchema.shape).filter((key) => !named.has(key));
  expect(left.toSorted()).toEqual(expect.arrayContaining(["pullRequestInterval", "workspacePrefix"]));
  expect(readFileSync(join(packageFolder("templates"), "config/afk-triage.yml"), "utf8")).toContain("docs/configuration.md");
});
