import { gzipSync } from "node:zlib";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { systemClock, systemIds } from "agent-tty/kit";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { writeReport } from "../../src/board/index.ts";
import { openBoardSource } from "../../src/board/source/index.ts";
import { type BuiltProgram, buildProgram } from "../support/batch/program.ts";
import { openProgramStage, type ProgramStage } from "../support/batch/program-stage.ts";
import {
  demoBoard,
  FakeBoardSource,
  hasBrowser,
  heroId,
  launchBrowser,
  PATIENCE_MS,
  watch,
  withoutBrowser,
} from "../support/board/index.ts";
import { watchLines } from "../support/batch/watched-lines.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

// Starts the real program and a browser, possibly on a busy machine.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program[Symbol.asyncDispose]());

async function reportOf(source: FakeBoardSource, directory: string): ReturnType<typeof writeReport> {
  const [batch] = (await source.batches({ limit: 1, after: null })).batches;
  if (batch === undefined) throw new Error("no batch");
  const pageDirectory = join(program.directory, "board");
  return writeReport({ source, batch, directory, pageDirectory, ids: systemIds(systemClock) });
}

test("the built page is within its size limits: each script compressed is at most 120 kB (B12)", async () => {
  const sizes = await Promise.all(
    ["index.html", "board.js", "terminal.js", "board.css"].map(
      async (name) => gzipSync(await readFile(join(program.directory, "board", name))).length,
    ),
  );
  const [, script = 0, terminal = 0, style = 0] = sizes;
  // The first view loads only board.js; the first terminal loads terminal.js.
  expect(script).toBeLessThan(70_000);
  expect(terminal).toBeLessThan(120_000);
  expect(style).toBeLessThan(20_000);
  expect(await readFile(join(program.directory, "board", "board.js"), "utf8")).not.toContain("ZodError");
});

test("recordings beyond a report's total limit are omitted and counted", async () => {
  await using directory = await temporaryDirectory();
  const source = await demoBoard();
  const [batch] = (await source.batches({ limit: 1, after: null })).batches;
  if (batch === undefined) throw new Error("no batch");
  const { withoutRecordings } = await writeReport({
    source,
    batch,
    directory: directory.path,
    pageDirectory: join(program.directory, "board"),
    ids: systemIds(systemClock),
    limits: { allRecordingsCharacters: 1_000 },
  });
  // The first recording uses up the limit: the same run's second terminal and the next run get nothing.
  expect(withoutRecordings).toBe(2);
});

describe.skipIf(!hasBrowser)(`a static report in a browser${withoutBrowser}`, () => {
  let browser: Browser;
  let page: Page;
  /** A stage whose home has one real batch. */
  let stage: ProgramStage;
  beforeAll(async () => {
    [browser, stage] = await Promise.all([launchBrowser(), openProgramStage(program)]);
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(PATIENCE_MS);
    await stage.open("honest");
    await stage.run(["run"]);
  });
  afterAll(async () => {
    await browser.close();
    await stage[Symbol.asyncDispose]();
  });

  async function openFile(directory: string, hash: string): Promise<{ problems: string[] } & Disposable> {
    const problems: string[] = [];
    const home = pathToFileURL(`${directory}/`).href;
    const watching = watch(page, home, problems);
    await page.goto(`${home}index.html${hash}`);
    return { problems, [Symbol.dispose]: () => watching[Symbol.dispose]() };
  }

  test("a report opened from file:// shows every view and replays recordings, without other requests or policy violations", async () => {
    await using directory = await temporaryDirectory();
    const report = await reportOf(await demoBoard(), directory.path);
    expect(report.files).toBe(
      (await readdir(directory.path, { recursive: true, withFileTypes: true })).filter((one) => one.isFile())
        .length,
    );
    using opened = await openFile(directory.path, "#/");
    const { problems } = opened;
    await page.getByText("static report").waitFor();
    await page.getByRole("link", { name: "format() loses the sign" }).click();
    await page.locator(".xterm-rows").getByText("The marker file is there.").waitFor();
    await page.getByRole("slider").fill("8000");
    await page.locator(".xterm-rows").getByText("Do you want to proceed?").waitFor();
    await page.getByRole("complementary", { name: "Tracked state" }).getByText("dialog").first().waitFor();
    expect(await page.getByRole("button", { name: "Kill" }).count()).toBe(0);
    await page.getByRole("tab", { name: "Comment" }).click();
    await page.getByRole("heading", { name: "Ready for an implementer" }).waitFor();
    await page.getByRole("tab", { name: "Artifacts" }).click();
    expect(await page.getByRole("link", { name: "comment" }).getAttribute("href")).toMatch(
      /^data\/run-\d{4}-comment\.txt$/,
    );
    await page.getByRole("link", { name: "Plots" }).click();
    await page.locator(".plot svg").last().waitFor();
    expect(problems).toEqual([]);
  });

  test("hostile text in a report stays text and cannot end its data script (S10)", async () => {
    await using directory = await temporaryDirectory();
    const source = await demoBoard();
    const hostile = '</script><img src=x onerror=window.owned=1>\u2028");window.owned=2;//';
    source.change(heroId, { title: hostile });
    await reportOf(source, directory.path);
    using opened = await openFile(directory.path, `#/runs/${encodeURIComponent(heroId)}`);
    await page.getByRole("heading", { level: 1 }).getByText("</script>").waitFor();
    expect(await page.evaluate("typeof window.owned")).toBe("undefined");
    expect(opened.problems).toEqual([]);
  });

  test("`report` writes the latest batch of a home with screenshots and prints one document on stdout", async () => {
    const out = join(stage.directory, "report");
    const { stdout, stderr, exitCode } = await stage.start(["report", "--out", out]);
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining("index.html")]);
    expect(JSON.parse(stdout)).toEqual({
      schema: "afk-triage/report@1",
      directory: out,
      files: expect.any(Number),
      bytes: expect.any(Number),
    });
    using opened = await openFile(out, "#/");
    const { problems } = opened;
    await page.locator(".run-title").first().click();
    await page.locator(".xterm-rows span").first().waitFor();
    await page.getByRole("tab", { name: "Reproduction" }).click();
    const picture = page.getByAltText("The verification's terminal at its end");
    await picture.waitFor();
    const width = (): Promise<number> =>
      picture.evaluate((image) => (image as HTMLImageElement).naturalWidth);
    await expect.poll(width, { timeout: PATIENCE_MS }).toBeGreaterThan(100);
    expect(problems).toEqual([]);
  });

  test("a recording beyond the limit keeps its end in a report, and the page says so", async () => {
    await using directory = await temporaryDirectory();
    const ports = { clock: systemClock, ids: systemIds(systemClock) };
    await using source = openBoardSource(stage.home, ports);
    const [batch] = (await source.batches({ limit: 1, after: null })).batches;
    if (batch === undefined) throw new Error("no batch");
    const pageDirectory = join(program.directory, "board");
    const limits = { recordingCharacters: 100 };
    await writeReport({ source, batch, directory: directory.path, pageDirectory, ids: ports.ids, limits });
    using opened = await openFile(directory.path, "#/");
    await page.locator(".run-title").first().click();
    await page.getByText("its beginning is left out").waitFor();
    // The first frame of the recording paints the screen at that point.
    await page.locator(".xterm-rows").getByText("git clone").waitFor();
    expect(opened.problems).toEqual([]);
  });

  test("`serve` shows a real home in a browser at the address that it prints, with the token of its file (O22, S17)", async () => {
    const serving = stage.start(["serve", "--port", "0"]);
    const line = await watchLines(serving).until(/^board: /);
    const token = (await readFile(join(stage.home, "board-token"), "utf8")).trim();
    const address = `${line.replace(/^board: /, "")}?token=${token}`;
    const problems: string[] = [];
    using _watching = watch(page, new URL(address).origin, problems);
    await page.goto(address);
    await page.locator(".run-row", { hasText: "ready for agent" }).waitFor();
    expect(page.url()).not.toContain("token");
    await page.locator(".run-title").click();
    await page.locator(".xterm-rows").getByText("git clone").waitFor();
    expect(problems).toEqual([]);
    // The page would otherwise keep requesting until the next test.
    await page.goto("about:blank");
    serving.kill("SIGINT");
    expect((await serving).exitCode).toBe(130);
  });
});

test("`report` overwrites only an earlier report, and says when there is no batch", async () => {
  await using stage = await openProgramStage(program);
  const out = join(stage.directory, "out");
  const none = await stage.run(["report", "--out", out]);
  expect([none.exitCode, none.stderr]).toEqual([
    1,
    expect.stringContaining("afk-triage run --repo owner/name"),
  ]);
  await stage.open("proposing needs-info");
  await stage.run(["run"]);
  await mkdir(out);
  for (const name of ["index.html", "board.js", "mine.txt"]) await writeFile(join(out, name), "mine");
  const taken = await stage.start(["report", "--out", out]);
  expect([taken.exitCode, taken.stdout, taken.stderr]).toEqual([2, "", expect.stringContaining("mine.txt")]);
  expect(await readFile(join(out, "mine.txt"), "utf8")).toBe("mine");
  const fresh = join(stage.directory, "fresh");
  for (const _ of [1, 2]) expect((await stage.start(["report", "--out", fresh])).exitCode).toBe(0);
  expect(await readdir(stage.directory)).not.toContain("fresh.unfinished");
});
