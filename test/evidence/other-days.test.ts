import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { otherDays } from "../../src/evidence/controls/index.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { decided, honest, run } from "./honest-runs.ts";

const NOW_MS = Date.UTC(2026, 10, 26);

test.each([
  ["before and on a date of the past", `isBefore("2025-01-31")`, ["2025-01-30", "2025-01-31"]],
  ["before and in a year of the past", `year() !== 2024`, ["2023-12-31", "2024-07-02"]],
  ["before this year, in which the script may have been written", `year() === 2026`, ["2025-12-31"]],
  ["after a date of the future", `new Date(2030, 0, 1)`, ["2030-01-03"]],
  ["before and on the first of several dates", `"2024-05-01" "2023-05-01"`, ["2023-04-30", "2024-05-01"]],
  ["before and on a date in seconds", `exp: 1700000000`, ["2023-11-13", "2023-11-15"]],
  ["before and in 2000 if it asks for the year", `getFullYear() > 2000`, ["1999-12-31", "2000-07-02"]],
  ["nowhere for numbers that are no years", `f(2000, 1.2024, "a2024", 20241)`, []],
])("the clock is moved to a day %s (V2)", (_, script, days) => {
  expect(otherDays(script, NOW_MS)).toEqual(days);
});

test("a claim is vacuous if its script succeeds under another date (V2, V3)", () => {
  const moved = run("renumbered", "", 0, { day: "2024-07-02" });
  expect(decided([...honest, moved])).toMatchObject({ type: "vacuous", shownIn: [] });
});

test.each([
  ["shows its claim", run("renumbered", "got 1 for 2", 1, { day: "2024-07-02" })],
  ["fails in another way", run("renumbered", "RangeError", 2, { day: "2024-07-02" })],
])("a claim stays verified if its script %s under another date (V2, V3)", (_, moved) => {
  expect(decided([...honest, moved])).toEqual({ type: "verified" });
});

const ADAPTERS = join(import.meta.dirname, "../../templates/controls");
const YEAR_MS = 365.25 * 24 * 60 * 60 * 1_000;

test("JavaScript and Python see the moved clock, and measure durations as before (V2)", async () => {
  await using directory = await temporaryDirectory();
  const clock = { directory: join(directory.path, "clock"), aheadMs: 2 * YEAR_MS };
  const request = JSON.stringify({
    root: directory.path,
    files: [],
    manifests: [],
    programs: [],
    answers: join(directory.path, "answers"),
    token: "00112233445566778899aabbccddeeff",
    version: "300.0.1",
    isDeaf: false,
    isListening: false,
    candidate: null,
    remembered: "",
    clock,
  });
  await mkdir(clock.directory);
  const adapter = (name: string): Promise<string> => readFile(join(ADAPTERS, name), "utf8");
  const input = `${await adapter("python.py")}\nprepare(json.loads(${JSON.stringify(request)}))\n`;
  await execa("python3", ["-"], { input });
  await execa("node", ["-"], { input: `${await adapter("javascript.cjs")}\nprepare(${request});\n` });
  const env = {
    NODE_OPTIONS: `--require=${clock.directory}/clock.cjs`,
    PYTHONPATH: clock.directory,
    PYTHONDONTWRITEBYTECODE: "1",
    TZ: "UTC",
  };
  const program = `
    const times = [new Date(), Date.now(), Date(), new (class extends Date {})()].map((one) => new Date(one).getFullYear());
    const start = Date.now();
    console.log(...times, new Date(2020, 1).getFullYear(), new Date() instanceof Date, new Date().constructor === Date, Date.now() - start < 1000);`;
  const ahead = new Date(Date.now() + clock.aheadMs).getUTCFullYear();
  const { stdout } = await execa("node", ["-e", program], { env });
  expect(stdout).toBe(`${ahead} ${ahead} ${ahead} ${ahead} 2020 true true true`);
  const script = `import datetime, time, zoneinfo
print(datetime.date.today().year, datetime.datetime.now(datetime.timezone.utc).year, time.localtime(time.time()).tm_year, time.strftime("%Y"), time.time_ns() // 10 ** 9 - int(time.time()) < 2, time.gmtime(0).tm_year)`;
  const python = await execa("python3", ["-c", script], { env });
  expect(python.stdout).toBe(`${ahead} ${ahead} ${ahead} ${ahead} True 1970`);
});
