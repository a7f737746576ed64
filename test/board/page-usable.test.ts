import { describe, expect, test } from "vitest";
import {
  demoBoard,
  hasBrowser,
  heroId,
  pageTests,
  PATIENCE_MS,
  type RecordedTerminal,
  rowOf,
  runHash,
  waitingId,
  withoutBrowser,
} from "../support/board/index.ts";

const PHONE = { width: 375, height: 740 };
const LAPTOP = { width: 1366, height: 657 };

describe.skipIf(!hasBrowser)(`the board's page in everyday use${withoutBrowser}`, { timeout: 90_000 }, () => {
  const stageOf = pageTests();
  const patience = { timeout: PATIENCE_MS };

  for (const rows of [24, 40])
    test(`the last of ${rows} rows and the player's controls are visible together at 1366 × 657 (B8)`, async () => {
      const source = await demoBoard();
      const run = source.runsById.get(heroId) ?? expect.unreachable("the demo's first run");
      source.put({ ...run, terminals: { ...run.terminals, "triage-agent": numberedRows(rows) } });
      await using stage = await stageOf({ source, viewport: LAPTOP });
      const { page } = stage;
      await stage.open(runHash(heroId));
      const last = page.locator(".xterm-rows > div", { hasText: `row ${rows}.` });
      await last.waitFor();
      const edges = (): Promise<{ isFit: boolean; fontPx: number }> =>
        page.evaluate(`(() => {
          const box = (selector) => [...document.querySelectorAll(selector)].at(-1).getBoundingClientRect();
          const [row, player] = [box(".xterm-rows > div"), box(".player")];
          return {
            isFit: row.top > 0 && row.bottom <= player.top + 1 && player.bottom <= window.innerHeight + 1,
            fontPx: parseFloat(getComputedStyle(document.querySelector(".xterm-rows")).fontSize),
          };
        })()`);
      await expect.poll(async () => (await edges()).isFit, patience).toBe(true);
      expect((await edges()).fontPx).toBeGreaterThanOrEqual(9);
    });

  test("opening a run moves the focus to its title, and leaving returns it to the row (B8)", async () => {
    await using stage = await stageOf();
    const { page } = stage;
    await stage.open("#/");
    await rowOf(page, 153).getByRole("link").focus();
    await page.keyboard.press("Enter");
    const focused = (): Promise<string> => page.evaluate("document.activeElement.textContent");
    const title = "Unicode names of columns are cut in the middle of a character";
    await page.locator(".run-head h1:focus").waitFor();
    expect(await focused()).toBe(title);
    await page.keyboard.press("Escape");
    await page.locator(".run-row a:focus").waitFor();
    expect(await focused()).toBe(title);
  });

  test("the focus moves to the heading of a view when the link that led there is gone (B8)", async () => {
    await using stage = await stageOf();
    const { page } = stage;
    await stage.open(runHash(heroId));
    await page.getByRole("link", { name: /^Triage Batch/ }).focus();
    await page.keyboard.press("Enter");
    await page.locator("h1:focus", { hasText: "Triage Batch" }).waitFor();
    await page.getByRole("link", { name: "Its Triage Runs" }).focus();
    await page.keyboard.press("Enter");
    await page.locator(".overview h1:focus").waitFor();
    await rowOf(page, 142).getByRole("link").focus();
    await page.keyboard.press("p");
    await page.locator("h1:focus", { hasText: "Plots" }).waitFor();
    expect(stage.problems).toEqual([]);
  });

  test("a button that closes a dialog or sends an answer leaves the focus where it was (B8)", async () => {
    await using stage = await stageOf({ source: await demoBoard(), allowsControl: true });
    const { page } = stage;
    await stage.open(runHash(waitingId));
    const press = async (name: string): Promise<void> => {
      await page.getByRole("button", { name, exact: true }).focus();
      await page.keyboard.press("Enter");
    };
    const focused = (): Promise<string> => page.evaluate("document.activeElement.textContent");
    for (const button of ["Leave it", "Stop it"]) {
      await press("Stop …");
      await press(button);
      await expect.poll(focused, patience).toBe("Stop …");
    }
    await press("Yes");
    await page.getByText("Sent.").first().waitFor();
    expect(await focused()).toBe("Yes");
    await press("Keyboard help");
    await press("Close");
    await expect.poll(focused, patience).toBe("?");
  });

  test("a focused checkbox, disclosure or text beside a recording keeps the keys that it uses (B8)", async () => {
    await using stage = await stageOf();
    const { page } = stage;
    await stage.open(runHash(heroId, "/reproduction"));
    const silence = page.getByLabel("skip silence");
    await silence.focus();
    await page.keyboard.press("Space");
    expect(await silence.isChecked()).toBe(false);
    await page.locator("summary").nth(1).focus();
    await page.keyboard.press("Space");
    await page.locator("details[open] summary").nth(1).waitFor();
    const moment = page.getByLabel("Moment of the recording");
    const before = await moment.inputValue();
    await page.locator("pre[tabindex]").first().focus();
    await page.keyboard.press("Home");
    expect(await moment.inputValue()).toBe(before);
    await page.getByRole("button", { name: /^Play/ }).focus();
    await page.keyboard.press("Home");
    await expect.poll(() => moment.inputValue(), patience).not.toBe(before);
  });

  test("keys of an input method, and Escape in a draft, are not commands to the page (B8)", async () => {
    await using stage = await stageOf({ source: await demoBoard(), allowsControl: true });
    const { page } = stage;
    await stage.open("#/");
    const search = page.getByRole("searchbox");
    await search.fill("format");
    await rowOf(page, 142).waitFor();
    for (const key of ["Enter", "Escape"])
      await search.dispatchEvent("keydown", { key, isComposing: true, bubbles: true });
    expect(await page.evaluate("document.activeElement.id")).toBe("search");
    expect(await search.inputValue()).toBe("format");
    await stage.open(runHash(waitingId));
    const draft = page.getByLabel("Send to the Triage Agent");
    await draft.fill("a long answer");
    await draft.press("Escape");
    expect(await draft.inputValue()).toBe("a long answer");
    expect(page.url()).toContain("#/runs/");
  });

  test("bidi controls in a title are made visible and do not reorder the text (B8)", async () => {
    const source = await demoBoard();
    source.change(heroId, { title: "safe\u202Egnp.exe \u2066x\u2069" });
    await using stage = await stageOf({ source });
    await stage.open("#/");
    await stage.page.getByText("safe‹U+202E›gnp.exe ‹U+2066›x‹U+2069›").first().waitFor();
    source.change(waitingId, { title: "later \u200F one" });
    await stage.page.getByText("later ‹U+200F› one").waitFor();
    expect(await stage.page.locator("main").textContent()).not.toMatch(
      /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/,
    );
  });

  test("statuses are shown in everyday words, and their column does not cut them off (B8)", async () => {
    await using stage = await stageOf({ viewport: LAPTOP });
    const { page } = stage;
    await stage.open("#/");
    const chip = rowOf(page, 151).locator(".col-status .chip");
    expect([await chip.textContent(), await chip.getAttribute("title")]).toEqual([
      "waits for you",
      "needs_input",
    ]);
    const cut = await page.evaluate(
      "[...document.querySelectorAll('.col-status .chip')].filter((one) => one.scrollWidth > one.parentElement.clientWidth).length",
    );
    expect(cut).toBe(0);
    expect(await page.getByLabel("Status").locator("option").allTextContents()).toContain("checks failed");
  });

  test("a phone shows in words how many runs wait for a person and how many lost their parent (B1, B8)", async () => {
    const source = await demoBoard();
    await using stage = await stageOf({ source, viewport: PHONE });
    await stage.open("#/");
    const tile = stage.page.locator(".tile").first();
    await expect.poll(() => tile.innerText(), patience).toMatch(/\d waits? for you/);
    for (const { document } of source.runsById.values())
      if (document.run.displayStatus === "needs_input")
        source.change(document.run.id, { parentLost: { lastSeenAtMs: 1, remedy: "reap" } });
    await expect.poll(() => tile.innerText(), patience).toMatch(/\d left by a dead parent/);
    const sideways = await stage.page.evaluate("document.documentElement.scrollWidth > window.innerWidth");
    expect(sideways).toBe(false);
  });

  test("the filters stay in one row when a repository has a very long name (B8)", async () => {
    const source = await demoBoard();
    const run = source.runsById.get(heroId) ?? expect.unreachable("the demo's first run");
    const repo = `${"o".repeat(39)}/${"long-name-".repeat(10)}`;
    const id = run.document.run.id.replace(/:.*/, `:${repo.replace("/", "~")}:1`);
    source.put({ ...run, document: { ...run.document, run: { ...run.document.run, id, repo, number: 1 } } });
    await using stage = await stageOf({ source, viewport: LAPTOP });
    await stage.open("#/");
    const choice = stage.page.getByLabel("Repository");
    await choice.locator("option", { hasText: repo }).waitFor({ state: "attached" });
    const middles = await stage.page
      .locator(".filters > *")
      .evaluateAll((all) =>
        all.map((one) => one.getBoundingClientRect()).map(({ top, bottom }) => top + bottom),
      );
    expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(4);
  });

  test("the recording of a Triage Agent without a TUI says that there are no tracked states (L10)", async () => {
    const source = await demoBoard();
    const run = source.runsById.get(heroId) ?? expect.unreachable("the demo's first run");
    source.put({ ...run, terminals: { "triage-agent": numberedRows(24) } });
    await using stage = await stageOf({ source });
    await stage.open(runHash(heroId));
    await stage.page
      .locator(".state-panel", { hasText: "No coding TUI was seen in this terminal" })
      .waitFor();
    expect(stage.problems).toEqual([]);
  });

  test("a run whose files were removed is not said to have published or verified nothing (B7, B8)", async () => {
    const source = await demoBoard();
    const run = source.runsById.get(heroId) ?? expect.unreachable("the demo's first run");
    const url = run.document.comment?.url ?? null;
    const removed = {
      outcome: null,
      verification: null,
      audit: { entries: [], problem: null },
      artifacts: [],
    };
    const comment = { markdown: "", blocks: [], url };
    source.put({ ...run, document: { ...run.document, ...removed, comment }, issue: null, files: {} });
    await using stage = await stageOf({ source });
    for (const [tab, text] of [
      ["comment", "The text of the comment is no longer in this home."],
      ["reproduction", "Its record is no longer in this home. Its grade: verified: 3 of 3 runs"],
      ["audit", "The audit log of the batch is no longer in this home."],
      ["artifacts", "No artifacts are in this home."],
    ] as const) {
      await stage.open(runHash(heroId, `/${tab}`));
      await stage.page.getByText(text).waitFor();
    }
    expect(stage.problems).toEqual([]);
  });

  test("a browser that is not signed in, or has a wrong token, sees what happened and how to sign in (B8)", async () => {
    await using stage = await stageOf({ isSignedIn: false });
    const { page } = stage;
    await stage.open("#/");
    await page.getByRole("heading", { name: "This browser is not signed in" }).waitFor();
    await page.getByText("Its cookie for this board is missing").waitFor();
    await page.getByText("afk-triage serve --new-token").waitFor();
    // It would open a refusal for programs.
    expect(await page.getByRole("link", { name: "Sweep" }).count()).toBe(0);
    await page.goto(`${stage.url}?token=wrong`);
    await page.getByText("The token in this address is not the board's").waitFor();
    await page.goto(stage.url);
    await page.context().request.get(`${stage.url}?token=test-token-of-the-board`, { maxRedirects: 0 });
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator(".run-row").first().waitFor();
    expect(await page.getByText("This browser is not signed in").count()).toBe(0);
  });
});

/** Returns a recorded terminal with numbered rows and without a TUI. */
function numberedRows(rows: number): RecordedTerminal {
  const lines = Array.from({ length: rows }, (_, index) => `row ${index + 1}.`).join("\r\n");
  return {
    recording: {
      schema: "afk-triage/board-recording@1",
      sessionId: "01J9Z6Q0W3N5Y8T4B2C7D1E6FG",
      startedAtMs: 1,
      durationMs: 10,
      isTruncated: false,
      window: { startMs: 0, endMs: 10, isEnd: true },
      frames: [
        { type: "reset", seq: 0, t: 0, cols: 120, rows, paint: "" },
        { type: "output", seq: 1, t: 5, data: Buffer.from(lines).toString("base64") },
      ],
    },
    states: { schema: "afk-triage/board-states@1", states: [], isTruncated: false },
  };
}
