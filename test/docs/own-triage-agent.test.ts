import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { buildProgram } from "../support/batch/program.ts";
import { openProgramStage } from "../support/batch/program-stage.ts";

// The test runs several programs, and the machine may be busy.
vi.setConfig({ testTimeout: 90_000 });

const page = readFileSync(join(import.meta.dirname, "../../docs/own-triage-agent.md"), "utf8");
const example = /```js\n([\s\S]*?)```/.exec(page)?.[1] ?? "";

test("the worked example of docs/own-triage-agent.md triages issues as the page says (A31)", async () => {
  expect(example.split("\n").length).toBeLessThanOrEqual(45);
  await using program = await buildProgram();
  await using stage = await openProgramStage(program);
  const file = join(stage.directory, "triage-agent.mjs");
  await writeFile(file, example);
  // If a page of the skill were missing, the Triage Agent would write no outcome.
  const pages = ["SKILL.md", "afk.md", "brief.md", "out-of-scope.md"];
  const script = `(cd "$AFK_TRIAGE_SKILLS_DIR/triage" && cat ${pages.join(" ")} >/dev/null) && exec "$0" "$1"`;
  await stage.configure({
    ...stage.config,
    triageAgent: { kind: "command", command: ["/bin/sh", "-c", script, process.execPath, file] },
  });
  await stage.open("It crashes", "It crashes since 1.2.3");
  const { exitCode, stderr } = await stage.run(["run"]);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  expect([await stage.labels(1), await stage.labels(2)]).toEqual([
    ["bug", "needs-info"],
    ["bug", "ready-for-human"],
  ]);
  expect((await stage.comments(1)).join("")).toContain("Which version do you use");
  expect((await stage.comments(2)).join("")).toContain("Reported for version 1.2.3.");
});
