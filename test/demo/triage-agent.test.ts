import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createVirtualClock } from "agent-tty/testing";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { triageIssue } from "../../src/demo/triage-agent/triage-issue.ts";
import { poll } from "../support/batch/poll.ts";
import { type DemoIssue, type DemoVerdict, demoIssues } from "../../src/demo/index.ts";
import { type Outcome, outcomeSchema, triageStates } from "../../src/triage/index.ts";
import { type AgentRun, issueFileOf, openStage } from "./demo-stage.ts";

// The tests start dozens of programs, on a machine that may be busy.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

let stage: Awaited<ReturnType<typeof openStage>>;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

interface Triaged {
  home: string;
  run: AgentRun;
}

const triagedIssues = new Map<string, Promise<Triaged>>();

/** Triages the demo's issue once for all tests that use the result. */
function triagedIssue(key: string): Promise<Triaged> {
  const triage = async (): Promise<Triaged> => {
    const home = await stage.clone();
    return { home, run: await stage.triage(issueFileOf(demoIssue(key)), home) };
  };
  const known = triagedIssues.get(key) ?? triage();
  triagedIssues.set(key, known);
  return known;
}

const triaged = demoIssues.flatMap((issue) =>
  issue.expectation.type === "triaged" ? [{ key: issue.key, issue, expectation: issue.expectation }] : [],
);

/** The issue with the random bug has a test of its own. */
const steady = triaged.filter(({ expectation }) => expectation.verdict !== "flaky");

test("all five outcomes occur in the demo, as well as every way of not being triaged (A31)", () => {
  expect(new Set(triaged.map(({ expectation }) => expectation.outcome))).toEqual(new Set(triageStates));
  const others = demoIssues.map(({ expectation }) =>
    expectation.type === "skipped" ? expectation.reason : expectation.type,
  );
  expect(others).toEqual(
    expect.arrayContaining(["locked", "pull-request", "needs-info-without-new-activity"]),
  );
});

describe("the demo's Triage Agent (A30)", () => {
  test.for(steady)("triages by rules and by running the code: $key", async ({ key, expectation }) => {
    const { home, run } = await triagedIssue(key);
    expect(run.stderr).toBe("");
    expect(run.exitCode).toBe(0);
    const outcome = outcomeSchema.parse(run.outcome);
    expect(outcome).toMatchObject({ issue: 7, outcome: expectation.outcome, category: expectation.category });
    expect((await readdir(join(home, "control"))).sort()).toEqual(["issue.json", "outcome.json"]);
    expect(await readdir(join(home, "checkout"))).not.toContain(".triage-output");
    expect(await verdictOf(outcome, home)).toBe(expectation.verdict);
  });

  test("low confidence comes without questions, so that the issue stays needs-triage by policy", async () => {
    const outcome = await outcomeOf("more-modern");
    expect(outcome).toMatchObject({ confidence: "low", questions: [] });
  });

  test("the demo's Triage Agent says what it tried and what it needs when the code does not show the bug (A32)", async () => {
    const outcome = await outcomeOf("leading-hyphens");
    expect(outcome.brief).toBeNull();
    expect(outcome.established.join("\n")).toContain(
      "The Triage Agent ran the reporter's code 12 times; the bug showed in 0",
    );
    expect(outcome.summary).toBe("The code of the report did not show the bug.");
    expect(outcome.questions[0]).toContain("your code printed `release-notes`");
    expect(outcome.questions.length).toBeGreaterThan(1);
  });

  test("a bug that shows in every second run is reported as flaky, with how often it showed (T8)", async () => {
    const home = await stage.clone();
    const source = [
      'import { existsSync, rmSync, writeFileSync } from "node:fs";',
      "const mark = `${process.env.HOME}/mark`;",
      "export function withLock() {",
      "  if (!existsSync(mark)) return writeFileSync(mark, '');",
      "  rmSync(mark);",
      '  throw new Error("nightly is locked");',
      "}",
    ];
    await writeFile(join(home, "checkout/src/lock.js"), source.join("\n"));
    const run = await stage.triage(issueFileOf(demoIssue("lock-now-and-then")), home);
    const outcome = outcomeSchema.parse(run.outcome);
    expect(outcome).toMatchObject({ outcome: "ready-for-agent", category: "bug" });
    expect(outcome.established.join("\n")).toContain(
      "The Triage Agent ran the reporter's code 6 times; the bug showed in 3. It is flaky",
    );
    // Only the parent's own runs count, so the sentences that are shown first give no numbers of the Triage Agent's runs.
    expect(outcome.summary).toBe("Confirmed with the reporter's own code.");
    expect(outcome.brief?.currentBehavior).toMatch(
      /^The bug does not show in every run\. The reporter's code printed:/,
    );
    // The product's bug is random: the chance that this many runs agree is one in 16 million.
    const seen = new Set<DemoVerdict>();
    for (let runs = 0; runs < 25 && seen.size < 2; runs += 1) seen.add(await verdictOf(outcome, home, 1));
    expect(seen.size).toBe(2);
  });

  test("documented behaviour is answered with a sentence quoted from the README", async () => {
    const outcome = await outcomeOf("ellipsis-counts");
    expect(outcome.wontfix?.reason).toContain("By design the ellipsis counts");
    expect(outcome.wontfix?.outOfScope).toBeNull();
  });

  test("an enhancement that was ruled out before updates the note's entry", async () => {
    const outcome = await outcomeOf("localised-durations");
    expect(outcome.wontfix?.outOfScope?.concept).toBe("localised-duration-units");
    expect(outcome.wontfix?.outOfScope?.entry).toContain(
      '- #19: "Accept German durations"\n- #7: "Support localised units in parseDuration"',
    );
  });

  describe("in a CommonJS package without `exports`, as most published ones are", () => {
    const manifest = { name: "tagsoup", version: "1.2.5", main: "lib/main.js" };
    const report = (code: string, actual: string): DemoIssue => ({
      ...demoIssue("accented-letters"),
      title: "tagsoup forgets the last tag",
      body: `\`\`\`js\n${code}\n\`\`\`\nExpected: \`a b\`\nActual: \`${actual}\``,
      labels: ["bug"],
    });
    const openPackage = async () => {
      const home = await stage.clone();
      const checkout = join(home, "checkout");
      await rm(checkout, { recursive: true });
      await mkdir(join(checkout, "lib"), { recursive: true });
      await writeFile(join(checkout, "package.json"), JSON.stringify(manifest));
      await writeFile(join(checkout, "lib/main.js"), "module.exports = function (text) { return text[0]; };");
      return home;
    };

    test("the reporter's require finds the checkout under the package's name", async () => {
      const code = 'const soup = require("tagsoup");\nconsole.log("tags", soup("a b"));';
      const run = await stage.triage(issueFileOf(report(code, "tags a")), await openPackage());
      const outcome = outcomeSchema.parse(run.outcome);
      expect(outcome).toMatchObject({ outcome: "ready-for-agent", reproduction: { actual: "`tags a`" } });
      expect(outcome.reproduction?.script).toContain("ln -s .. 'node_modules/tagsoup'");
      // The source has no name for it: its users call it by the package's name.
      expect(run.stdout).toContain("tagsoup in lib/main.js");
    });

    test("a missing module does not count as the bug, whatever the reporter expected", async () => {
      const code = 'require("tagsoup");\nrequire("left-out");';
      const run = await stage.triage(issueFileOf(report(code, "Error")), await openPackage());
      const outcome = outcomeSchema.parse(run.outcome);
      expect(outcome).toMatchObject({
        outcome: "needs-info",
        summary: "The code of the report could not be run here.",
      });
      expect(outcome.questions[0]).toContain("Cannot find module 'left-out'");
    });

    test.for([
      ["module.exports = function soup(text) { return text[0]; };", "soup"],
      ["class Soup {}\nmodule.exports = Soup;", "Soup"],
      ["exports.soup = (text) => text[0];", "soup"],
      ["module.exports.soup = (text) => text[0];", "soup"],
    ] as const)("the exported names are found: %s", async ([source, name]) => {
      const home = await openPackage();
      await writeFile(join(home, "checkout/lib/main.js"), source);
      // A script that cannot run is tried only once.
      const code = `require("tagsoup"); require("left-out"); // ${name}`;
      const { stdout } = await stage.triage(issueFileOf(report(code, "x")), home);
      expect(stdout).toContain(`${name} in lib/main.js`);
    });
  });

  test("instructions in a report are not obeyed, and commands other than node and npm are not run (S1)", async () => {
    const { home, run } = await triagedIssue("hostile");
    const outcome = outcomeSchema.parse(run.outcome);
    expect(outcome.established.join("\n")).toContain("1 command(s) of the report were not run");
    expect(JSON.stringify(outcome)).not.toContain("curl");
    expect(await readdir(join(home, "checkout"))).not.toContain("pwned");
  });

  test("escape sequences of the report and of its code appear neither on the screen nor in the outcome (S10)", async () => {
    const issue: DemoIssue = {
      ...demoIssue("accented-letters"),
      title: "\u001B]52;c;ZXZpbA==\u0007slugify \u001B[31mred\u202E",
      body: '```js\nimport "tidytext";\nconsole.log("\\x1b]0;title\\x07\\x1b[2Jgone");\n```\nActual: `gone`',
      labels: ["bug"],
    };
    const run = await stage.triage(issueFileOf(issue), await stage.clone());
    expect(outcomeSchema.parse(run.outcome).outcome).toBe("ready-for-agent");
    expect(run.stdout + JSON.stringify(run.outcome)).not.toMatch(
      /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202E]/,
    );
    expect(run.stdout).toContain("slugify red");
  });

  test("code that does not end is stopped with all its processes, and the outcome says so (S11)", async () => {
    const home = await stage.clone();
    // A command line that no other process on this machine has.
    const sleeper = `sleep ${10_000_000 + process.pid}`;
    const hanging = `import "tidytext";\nimport { spawn } from "node:child_process";\nspawn("sh", ["-c", "exec ${sleeper}"]);\nfor (;;);`;
    const body = `slugify hangs\n\n\`\`\`js\n${hanging}\n\`\`\`\n`;
    const issue = { ...demoIssue("accented-letters"), body, labels: ["bug"] };
    const issuePath = join(home, "control/issue.json");
    const outcomePath = join(home, "control/outcome.json");
    await writeFile(issuePath, issueFileOf(issue));
    const clock = createVirtualClock();
    const stream = { isTTY: false, columns: 80, rows: 24, write: () => true };
    const checkout = join(home, "checkout");
    const triaging = triageIssue({ issuePath, outcomePath, checkout, stream, clock });
    try {
      await poll("its process", async () => (await commandLines()).includes(sleeper));
    } finally {
      await clock.advance(5_000);
      await triaging;
    }
    const outcome = outcomeSchema.parse(JSON.parse(await readFile(outcomePath, "utf8")));
    expect(outcome.outcome).toBe("needs-info");
    expect(outcome.established.join("\n")).toContain("1 did not end within the time limit");
    await poll("the end of its process", async () => !(await commandLines()).includes(sleeper));
  });

  test("the screen shows every phase, drawn in place", async () => {
    const file = issueFileOf(demoIssue("accented-letters"));
    const screen = await stage.watch(file, await stage.clone(), { cols: 100, rows: 30 });
    expect(screen).toEqual([
      "tidytext/tidytext#7  slugify eats accented letters instead of folding them",
      expect.stringMatching(/^─+$/),
      "✓ Read the issue: by ana-lytics, 0 comment(s)",
      "✓ Look into the checkout: slugify in src/slug.js",
      "✓ Find code to run: the reporter's code",
      "✓ Run the reproduction: the bug showed in 3 of 3 runs",
      expect.stringMatching(/^✓ Weigh what was found: bug → ready-for-agent: Confirmed with the reporter's/),
      expect.stringMatching(/^✓ Write the outcome: after \d+\.\d s$/),
      "  │ cr-me-br-l-e",
    ]);
  });

  test("the screen stays intact on a terminal that is too small for it", async () => {
    const file = issueFileOf(demoIssue("accented-letters"));
    const screen = await stage.watch(file, await stage.clone(), { cols: 20, rows: 5 });
    expect(screen).toEqual([
      "tidytext/tidytext#7",
      "✓ Run the reproduct",
      "✓ Weigh what was fo",
      "✓ Write the outcome",
    ]);
  });

  test.for([
    ["not JSON", "{"],
    ["another schema", '{"schema":"afk-triage/issue@2"}'],
    ["no number", '{"schema":"afk-triage/issue@1","title":"x"}'],
  ] as const)("ends with a message and without an outcome: %s", async ([, file]) => {
    const run = await stage.triage(file, await stage.clone());
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toMatch(/^demo Triage Agent: .+$/);
    expect(run.outcome).toBeNull();
  });
});

async function commandLines(): Promise<string[]> {
  const read = (pid: string) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  return (await Promise.all(pids.map(read))).map((line) => line.replaceAll("\0", " ").trim());
}

/** Runs the script as the parent would: in clean checkouts of the same Coder workspace. */
async function verdictOf(outcome: Outcome, home: string, runs = 3): Promise<DemoVerdict> {
  if (outcome.reproduction?.script == null) return "none";
  const matched = await stage.verify(outcome.reproduction, home, runs);
  if (matched === 0) return "not-reproduced";
  return matched === runs ? "reproduced" : "flaky";
}

async function outcomeOf(key: string): Promise<Outcome> {
  return outcomeSchema.parse((await triagedIssue(key)).run.outcome);
}

function demoIssue(key: string): DemoIssue {
  const issue = demoIssues.find((candidate) => candidate.key === key);
  if (issue === undefined) throw new Error(`no such demo issue: ${key}`);
  return issue;
}
