import { describe, expect, test } from "vitest";
import { inertBlocks } from "../../src/board/source/inert-blocks.ts";
import {
  buildRun,
  demoBoard,
  hasBrowser,
  heroId,
  indicators,
  pageTests,
  PATIENCE_MS,
  rowOf,
  runHash,
  waitingId,
  withoutBrowser,
} from "../support/board/index.ts";

describe.skipIf(!hasBrowser)(`the board's page, live${withoutBrowser}`, { timeout: 90_000 }, () => {
  const stageOf = pageTests();
  const patience = { timeout: PATIENCE_MS };

  test("a change appears without a reload in the run's row and in the live region (O22)", async () => {
    await using stage = await stageOf({ source: await demoBoard() });
    const { page, source } = stage;
    await stage.open("#/");
    await rowOf(page, 153).getByText("working").waitFor();
    source.change("20261121T053000Z:acme~widgets:153", {
      displayStatus: "terminated",
      phase: "settled",
      settledAtMs: 1_780_000_000_000,
      indicator: indicators.done,
      end: { status: "applied", reason: "reproduction-verified", outcome: "ready-for-human", error: null },
    });
    await rowOf(page, 153).getByText("ready for human").waitFor();
    await rowOf(page, 153).getByRole("img", { name: "exited with 0" }).waitFor();
    await page.locator("[aria-live]", { hasText: "acme/widgets #153: ready for human" }).waitFor();
    expect(stage.problems).toEqual([]);
  });

  test("changes made while the server was down appear after it is back, without a reload (O21)", async () => {
    // A separate loopback address: on a shared one, the port might be taken by the time the server is back.
    await using stage = await stageOf({ source: await demoBoard(), host: "127.21.0.1" });
    const { page, source } = stage;
    await stage.open(runHash(waitingId));
    await page.getByText("Do you want to proceed").first().waitFor();
    await page.evaluate("window.isTheSamePage = true");
    await stage.stopServer();
    await page.getByText("Connection lost.").waitFor();
    await page.getByText("connection to the terminal lost").waitFor();
    source.change(waitingId, { displayStatus: "working", indicator: indicators.running });
    const data = Buffer.from("\r\n\u001b[38;2;87;171;90mgone on meanwhile\u001b[0m\r\n").toString("base64");
    source.print(waitingId, { type: "output", seq: 5_000, t: 9_000, data });
    await stage.startServer();
    await page.getByText("gone on meanwhile").first().waitFor();
    await page.locator(".run-facts", { hasText: "working" }).waitFor();
    await page.getByText("Connection lost.").waitFor({ state: "detached" });
    expect(await page.evaluate("window.isTheSamePage")).toBe(true);
    // True colours are drawn even under the strict Content-Security-Policy.
    const printed = page.locator(".xterm-rows span", { hasText: "gone on" }).first();
    expect(await printed.evaluate((span) => getComputedStyle(span).color)).toBe("rgb(87, 171, 90)");
    const refused = /net::ERR_(?!BLOCKED)|WebSocket connection to/;
    expect(stage.problems.filter((problem) => !refused.test(problem))).toEqual([]);
  });

  test("the Triage Agent's terminal is the first tab, is pinned and open, and shows its live tracked state (L10)", async () => {
    await using stage = await stageOf({ source: await demoBoard() });
    const { page, source } = stage;
    await stage.open(runHash(waitingId));
    const tabs = page.getByRole("tab");
    expect(await tabs.first().textContent()).toBe("Triage Agent");
    expect(await tabs.first().getAttribute("aria-selected")).toBe("true");
    await page.getByText("Do you want to proceed").first().waitFor();
    await page.getByRole("complementary", { name: "Tracked state" }).getByText("dialog").first().waitFor();
    const data = Buffer.from("\r\nand it goes on\r\n").toString("base64");
    source.print(waitingId, { type: "output", seq: 6_000, t: 9_000, data });
    await page.getByText("and it goes on").first().waitFor();
    expect(stage.problems).toEqual([]);
  });

  test("scrubbing forwards or backwards shows the screen and the tracked state of the chosen time (H4)", async () => {
    await using stage = await stageOf();
    const { page } = stage;
    await stage.open(runHash(heroId));
    const screen = page.locator(".xterm-rows");
    const state = page.getByRole("complementary", { name: "Tracked state" });
    const scrubber = page.getByRole("slider", { name: "Moment of the recording" });
    await screen.getByText("The marker file is there.").waitFor();
    await state.getByText("success").waitFor();
    await scrubber.fill("8000");
    await screen.getByText("Do you want to proceed?").waitFor();
    await state.getByText("dialog").first().waitFor();
    await screen.getByText("The marker file is there.").waitFor({ state: "detached" });
    await scrubber.fill("3000");
    await screen.getByText("make the").waitFor();
    await state.getByText("composer").waitFor();
    const moment = (): Promise<string | null> => scrubber.getAttribute("aria-valuetext");
    await expect.poll(moment, patience).toMatch(/^0:03 of 0:11, ready, composer$/);
    // Keys go to the next mark and to the beginning, from where the recording is played.
    await page.keyboard.press("]");
    const place = async (): Promise<number> => Number(await scrubber.inputValue());
    await expect.poll(place, patience).toBeGreaterThan(3_000);
    await page.keyboard.press("Home");
    await page.getByLabel("Speed").selectOption("16");
    await page.getByRole("button", { name: /^Play/ }).click();
    await screen.getByText("The marker file is there.").waitFor();
    expect(stage.problems).toEqual([]);
  });

  test("a long recording is read in parts, wherever the reader scrubs or plays (B5)", async () => {
    const source = await demoBoard();
    source.partMs = 1_000;
    await using stage = await stageOf({ source });
    const { page } = stage;
    await stage.open(runHash(heroId));
    const screen = page.locator(".xterm-rows");
    const scrubber = page.getByRole("slider", { name: "Moment of the recording" });
    await screen.getByText("The marker file is there.").waitFor();
    await scrubber.fill("8000");
    await screen.getByText("Do you want to proceed?").waitFor();
    await scrubber.fill("3000");
    await screen.getByText("Do you want to proceed?").waitFor({ state: "detached" });
    await screen.getByText("make the").waitFor();
    expect(source.askedMoments).toEqual([8_000, 3_000]);
    await page.getByLabel("Speed").selectOption("16");
    await page.getByRole("button", { name: /^Play/ }).click();
    await screen.getByText("The marker file is there.").waitFor();
    expect(source.askedMoments.length).toBeGreaterThan(2);
    expect(stage.problems).toEqual([]);
  });

  test("a link to a moment opens the recording at that moment, and the player offers such a link (B5)", async () => {
    await using stage = await stageOf();
    const { page } = stage;
    await stage.open(`${runHash(heroId)}?t=8000`);
    const screen = page.locator(".xterm-rows");
    await screen.getByText("Do you want to proceed?").waitFor();
    const link = page.getByRole("link", { name: "link to this moment" });
    expect(await link.getAttribute("href")).toBe(`${runHash(heroId)}?t=8000`);
    await page.evaluate(`window.location.hash = ${JSON.stringify(`${runHash(heroId)}?t=11000`)}`);
    await screen.getByText("The marker file is there.").waitFor();
    expect(stage.problems).toEqual([]);
  });

  test("a recorded terminal is shown in full screen with its controls (B5)", async () => {
    await using stage = await stageOf();
    const { page } = stage;
    await stage.open(runHash(heroId));
    await page.getByRole("button", { name: "Full screen" }).click();
    const shown = (): Promise<boolean> =>
      page.evaluate("document.fullscreenElement?.querySelector('.player') != null");
    await expect.poll(shown, patience).toBe(true);
    await page.evaluate("document.exitFullscreen()");
    await expect.poll(shown, patience).toBe(false);
    expect(stage.problems).toEqual([]);
  });

  test("the script of terminals is loaded with the first terminal, not with the list (B12)", async () => {
    await using stage = await stageOf();
    const { page } = stage;
    const scripts = (): Promise<unknown> =>
      page.evaluate(
        `[...document.querySelectorAll("head script[src]")].map((one) => one.getAttribute("src"))`,
      );
    await stage.open("#/");
    await page.locator(".run-row").first().waitFor();
    await page.reload();
    await page.locator(".run-row").first().waitFor();
    const atFirst = [expect.stringMatching(/^start\.[0-9a-f]{16}\.js$/)];
    expect(await scripts()).toEqual(atFirst);
    await rowOf(page, 142).getByRole("link").click();
    await page.locator(".xterm-rows > div span").first().waitFor();
    expect(await scripts()).toEqual([...atFirst, expect.stringMatching(/^terminal\.[0-9a-f]{16}\.js$/)]);
  });

  test("the title of the tab counts the runs that wait for input", async () => {
    const source = await demoBoard();
    await using stage = await stageOf({ source });
    await stage.open("#/");
    const title = (): Promise<string> => stage.page.title();
    await expect.poll(title, patience).toMatch(/^\(\d+\) Board/);
    for (const { document } of source.runsById.values())
      if (document.run.displayStatus === "needs_input")
        source.change(document.run.id, { displayStatus: "working" });
    await expect.poll(title, patience).toMatch(/^Board/);
  });

  test("text from issues and terminals is shown as text: no script runs and no request is sent (S10)", async () => {
    const source = await demoBoard();
    const hostile = `<img src="https://attacker.example/x" onerror="window.owned=1"><script>window.owned=2</script> \u202egnp.exe javascript:alert(1) \u001b]0;owned\u0007`;
    const id = "20261121T053000Z:acme~widgets:666";
    const facts = { runId: "20261121T053000Z", number: 666, title: hostile, startedAtMs: 1_780_000_000_000 };
    const osc = `\u001b]8;;https://attacker.example/\u0007click me\u001b]8;;\u0007 \u001b]52;c;b3duZWQ=\u0007 \u001b]0;owned\u0007\u001b[c\u001b[6n ${hostile}`;
    const hero = source.runsById.get(heroId);
    if (hero === undefined) throw new Error("no hero");
    const built = buildRun({ ...facts, end: { outcome: "needs-info" } }, hero.document);
    const run = { ...built.document.run, issueUrl: "javascript:alert(1)" };
    source.put({
      ...built,
      document: {
        ...built.document,
        run: { ...run, id, number: 666, title: hostile },
        terminals: built.document.terminals.slice(0, 1),
        comment: { markdown: hostile, blocks: inertBlocks(hostile), url: "javascript:alert(2)" },
        pullRequests: [{ number: 1, url: "data:text/html,<script>alert(3)</script>", status: hostile }],
        audit: {
          entries: [{ seq: 1, at: hostile, action: "publish", fact: "done", text: hostile }],
          problem: hostile,
        },
      },
      terminals: {
        "triage-agent": {
          states: { schema: "afk-triage/board-states@1", states: [], isTruncated: false },
          recording: {
            schema: "afk-triage/board-recording@1",
            sessionId: hostile,
            startedAtMs: 0,
            durationMs: 10,
            isTruncated: false,
            window: { startMs: 0, endMs: 10, isEnd: true },
            frames: [
              { type: "reset", seq: 0, t: 0, cols: 80, rows: 24, paint: "" },
              { type: "output", seq: 1, t: 1, data: Buffer.from(osc).toString("base64") },
            ],
          },
        },
      },
    });
    await using stage = await stageOf({ source });
    const { page } = stage;
    await stage.open("#/?q=666");
    await rowOf(page, 666).waitFor();
    // The bidi control is made visible; everything else stays unchanged.
    const shown = hostile.replace("\u202e", "‹U+202E›");
    expect(await rowOf(page, 666).locator(".run-title").textContent()).toBe(shown);
    for (const tab of [
      "",
      "/outcome",
      "/reproduction",
      "/comment",
      "/audit",
      "/pull-requests",
      "/artifacts",
    ]) {
      await stage.open(runHash(id, tab));
      await page.getByRole("tabpanel").waitFor();
      if (tab === "") {
        const link = page.locator(".xterm-rows").getByText("click me").first();
        // A forced click does not wait until the terminal has given its rows a size.
        await link.waitFor();
        await link.click({ force: true });
      }
      if (tab === "/comment") expect(await page.locator("pre.code").textContent()).toBe(shown);
    }
    const links = await page
      .locator("a[href]")
      .evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).protocol));
    expect(new Set(links)).toEqual(new Set(["http:"]));
    // The run waits for a person, and the title counts it.
    await expect.poll(() => page.title(), patience).toBe("(1) acme/widgets #666 · afk-triage");
    expect(await page.evaluate("typeof window.owned")).toBe("undefined");
    expect(stage.problems).toEqual([]);
  });
});
