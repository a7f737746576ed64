import { join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { type Ended, runScript } from "./run-script.ts";

const ROOT = join(import.meta.dirname, "../..");
const AGREEING = join(import.meta.dirname, "agreeing");

test("conformance counts passing cases per file, names skipped ones, and exits with 0", async () => {
  const { exitCode, stdout } = await conformance(AGREEING, "--json");
  const report = JSON.parse(stdout) as Report;
  expect({ exitCode, holds: report.holds }).toEqual({ exitCode: 0, holds: true });
  expect(report.files.map(({ file, status }) => [file, status])).toEqual([
    ["agent_tty_render_wait_cases.json", "covered"],
    ["agent_tty_waited_run_cases.json", "covered"],
    ["unknown_family.json", "not-covered"],
  ]);
  expect(report.total.asserted).toMatchObject({ cases: 7, passed: 5, differs: 0 });
  expect(verdicts(report)).toEqual(["two at once: not-expressible", "colours: not-covered"].toSorted());
});

test("conformance names a case that differs, with the expected and the seen value, and exits with 1", async () => {
  const { exitCode, stdout } = await conformance(join(import.meta.dirname, "contradicting"));
  expect(exitCode).toBe(1);
  expect(stdout).toContain(
    [
      "agent_tty_session_status_policy.json",
      "  asserted: 2 cases: 1 passed, 1 differing",
      "  observed: 1 cases: 0 passed, 1 differing",
      "    differing: policy of exiting",
      '      expected {"active":true,"commandable":true}',
      '      seen     {"active":true,"commandable":false}',
      "    differing (observed): command target: destroying",
      '      expected "ok"',
      '      seen     "SESSION_NOT_RUNNING"',
    ].join("\n"),
  );
  expect(stdout).toMatch(/agent_tty_waited_run_cases\.json\n {2}cannot be read: .*\n.*cases\[0\]\.feed/);
});

test("a usage error prints one line and exits with 2", async () => {
  const check = async (...argv: string[]): Promise<void> => {
    const { exitCode, stdout, stderr } = await conformance(...argv);
    expect({ argv, exitCode, stdout }).toEqual({ argv, exitCode: 2, stdout: "" });
    expect(stderr).toMatch(/^conformance: .+\n$/);
  };
  await check();
  await check(AGREEING, "--loud");
  await check(join(import.meta.dirname, "missing"));
});

test("conformance started as a program prints the same and exits with the same code", async () => {
  const program = ["--import", "tsx", join(ROOT, "scripts/conformance.ts")];
  const argv = [AGREEING, "--loud"];
  const { exitCode, stdout, stderr } = await execa(process.execPath, [...program, ...argv], {
    cwd: ROOT,
    reject: false,
  });
  const within = await conformance(...argv);
  expect({ exitCode, stdout, stderr: `${stderr}\n` }).toEqual(within);
});

interface Report {
  holds: boolean;
  files: { file: string; status: string; cases?: { id: string; verdict: { type: string } }[] }[];
  total: { asserted: Record<string, number> };
}

function verdicts(report: Report): string[] {
  return report.files
    .flatMap(({ cases = [] }) => cases)
    .filter(({ verdict }) => verdict.type !== "passed")
    .map(({ id, verdict }) => `${id}: ${verdict.type}`)
    .toSorted();
}

function conformance(...argv: string[]): Promise<Ended> {
  return runScript("conformance/command-line.ts", "conformance", argv);
}
