import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import {
  demoBoard,
  type FakeBoardSource,
  hasBrowser,
  heroId,
  pageTests,
  PATIENCE_MS,
  rowOf,
  runHash,
  withoutBrowser,
} from "../support/board/index.ts";

const LINES = 1_200;
const NIGHT = "20261121T053000Z";

describe.skipIf(!hasBrowser)(`recordings on the board's page${withoutBrowser}`, { timeout: 90_000 }, () => {
  const stageOf = pageTests();
  const patience = { timeout: PATIENCE_MS };
  const current = (page: Page): Promise<string[]> =>
    page.locator(".hits [aria-current] mark").allTextContents();

  test("a search lists lines with their time, and Enter, n and N go to their moments (B5)", async () => {
    await using stage = await stageOf({ source: await boardOfLines() });
    const { page } = stage;
    await stage.open(runHash(heroId));
    const screen = page.locator(".xterm-rows");
    await screen.getByText(`line ${LINES}.`).waitFor();
    await page.keyboard.press("/");
    await page.getByRole("searchbox", { name: "Text to find in the recording" }).fill("LINE 70");
    const results = page.getByRole("list", { name: "Results" }).getByRole("button");
    await page.getByText("11 results in the whole recording").waitFor();
    expect(await results.count()).toBe(11);
    expect(await results.first().textContent()).toBe("0:07line 70.");
    const place = async (): Promise<number> =>
      Number(await page.getByRole("slider", { name: "Moment of the recording" }).inputValue());
    await page.keyboard.press("Enter");
    await screen.getByText("line 70.", { exact: true }).waitFor();
    expect([await place(), await current(page)]).toEqual([7_000, ["line 70"]]);
    await page.keyboard.press("Enter");
    await expect.poll(place, patience).toBe(70_000);
    await results.last().focus();
    await page.keyboard.press("n");
    await expect.poll(place, patience).toBe(70_100);
    await page.keyboard.press("N");
    await page.keyboard.press("N");
    await expect.poll(place, patience).toBe(7_000);
    await results.last().click();
    await expect.poll(place, patience).toBe(70_900);
    await screen.getByText("line 709.", { exact: true }).waitFor();
    await page.getByRole("searchbox").focus();
    // The first Escape closes only the search.
    await page.keyboard.press("Escape");
    await page.getByRole("searchbox").waitFor({ state: "detached" });
    await page.locator(".open-search:focus").waitFor();
    expect(stage.problems).toEqual([]);
  });

  test("a search reports where it stopped, and continues on request (B5)", async () => {
    const source = await boardOfLines();
    await using stage = await stageOf({ source });
    const { page } = stage;
    await stage.open(runHash(heroId));
    await page.getByRole("button", { name: "Search in the recording" }).click();
    await page.getByRole("searchbox").fill("line");
    await page.getByText("500 results up to 0:50 of 2:00, where the search stopped").waitFor();
    await page.getByRole("button", { name: "Continue the search" }).click();
    await page.getByText("1,000 results up to 1:40 of 2:00, where the search stopped").waitFor();
    await page.getByRole("button", { name: "Continue the search" }).click();
    await page.getByText("1,200 results in the whole recording").waitFor();
    expect(stage.problems).toEqual([]);
  });

  test("a new search text cancels the previous search (B5)", async () => {
    const source = await boardOfLines();
    const answer = source.searchRecording;
    const cancelled: string[] = [];
    const asked: string[] = [];
    source.searchRecording = async (key, terminal, query, signal) => {
      asked.push(query.text);
      if (query.text !== "slow") return answer(key, terminal, query, signal);
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      cancelled.push(query.text);
      return answer(key, terminal, query, signal);
    };
    await using stage = await stageOf({ source });
    const { page } = stage;
    await stage.open(runHash(heroId));
    await page.getByRole("button", { name: "Search in the recording" }).click();
    await page.getByRole("searchbox").fill("slow");
    await expect.poll(() => asked, patience).toEqual(["slow"]);
    await page.getByRole("searchbox").fill("line 1199");
    await page.getByText("1 result in the whole recording").waitFor();
    expect([asked, cancelled]).toEqual([["slow", "line 1199"], ["slow"]]);
  });

  test("a button and a key copy the text of the screen, or only the selection (B5)", async () => {
    await using stage = await stageOf({ source: await boardOfLines() });
    const { page } = stage;
    await stage.open(runHash(heroId));
    const screen = page.locator(".xterm-rows");
    await screen.getByText(`line ${LINES}.`).waitFor();
    await page.getByRole("button", { name: "Copy the text of the screen" }).click();
    await page.getByText("copied", { exact: true }).waitFor();
    const expected = Array.from({ length: 10 }, (_, n) => `line ${LINES - 9 + n}.\n`).join("");
    expect(await pasted(page)).toBe(expected);
    const box = await screen.getByText(`line ${LINES - 3}.`).boundingBox();
    if (box === null) expect.unreachable("a line of the screen");
    // A layer above the screen handles selection, so the mouse is moved by coordinates.
    await page.mouse.move(box.x + 1, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 4 });
    await page.mouse.up();
    await page.keyboard.press("c");
    await expect.poll(() => pasted(page), patience).not.toBe(expected);
    const selected = await pasted(page);
    expect(selected).toMatch(/^line/);
    expect(`line ${LINES - 3}.\n`).toContain(selected);
    await page.keyboard.press("Control+c");
    expect(await pasted(page)).toBe(selected);
    expect(stage.problems).toEqual([]);
  });

  test("a view with a terminal loads at most 120 kB of scripts, and the script of wide characters only when one is printed (B12)", async () => {
    const source = await boardOfLines();
    await using stage = await stageOf({ source });
    const { page } = stage;
    const sizes = new Map<string, Promise<number>>();
    page.on("requestfinished", (request) => {
      const name = /\/([a-z-]+)\.[^/]*js$/.exec(request.url())?.[1];
      if (name !== undefined)
        sizes.set(
          name,
          request.sizes().then(({ responseBodySize }) => responseBodySize),
        );
    });
    await stage.open(runHash(heroId));
    await page.locator(".xterm-rows").getByText(`line ${LINES}.`).waitFor();
    expect([...sizes.keys()].toSorted()).toEqual(["board", "start", "terminal"]);
    const bytes = await Promise.all(sizes.values());
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(120_000);
    const run = source.runsById.get(heroId) ?? expect.unreachable("the demo's first run");
    const terminal = run.terminals["triage-agent"] ?? expect.unreachable("its terminal");
    const data = Buffer.from("\r\n\u2705ok").toString("base64");
    const frame = { type: "output" as const, seq: LINES + 2, t: LINES * 100, data };
    const recording = { ...terminal.recording, frames: [...terminal.recording.frames, frame] };
    source.put({ ...run, terminals: { ...run.terminals, "triage-agent": { ...terminal, recording } } });
    await page.reload();
    await page.locator(".xterm-rows").getByText("\u2705ok").waitFor();
    expect(sizes.has("wide-characters")).toBe(true);
    expect(stage.problems).toEqual([]);
  });

  test("opening a run's address requests its recording once and before the lists, then reads the run again (B5)", async () => {
    await using stage = await stageOf({ source: await boardOfLines() });
    const { page } = stage;
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await stage.open(runHash(heroId));
    await page.locator(".xterm-rows").getByText(`line ${LINES}.`).waitFor();
    const run = `/api/runs/${encodeURIComponent(heroId)}`;
    const timesOf = (path: string): number => asked.filter((one) => one === path).length;
    // Without the second read, a change before the page follows changes would be missed.
    await expect.poll(() => timesOf(run), patience).toBe(2);
    expect(timesOf(`${run}/recording`)).toBe(1);
    const listsFrom = asked.indexOf("/api/batches");
    expect(asked.indexOf(`${run}/recording`)).toBeLessThan(listsFrom);
    expect(asked.indexOf(run)).toBeLessThan(listsFrom);
    expect(asked.lastIndexOf(run)).toBeGreaterThan(listsFrom);
    expect(stage.problems).toEqual([]);
  });

  test("a link to a moment survives a reload, and the back button returns to the previous moment and then to the filtered batch (B5)", async () => {
    await using stage = await stageOf();
    const { page } = stage;
    await stage.open(`#/?batch=${NIGHT}`);
    await rowOf(page, 142).getByRole("link").first().click();
    const screen = page.locator(".xterm-rows");
    const scrubber = page.getByRole("slider", { name: "Moment of the recording" });
    await screen.getByText("The marker file is there.").waitFor();
    await scrubber.fill("8000");
    await screen.getByText("Do you want to proceed?").waitFor();
    await page.getByRole("link", { name: "link to this moment" }).click();
    await page.reload();
    await screen.getByText("Do you want to proceed?").waitFor();
    expect(await scrubber.inputValue()).toBe("8000");
    await page.goBack();
    await screen.getByText("The marker file is there.").waitFor();
    await page.goBack();
    await page.locator(".run-row").first().waitFor();
    expect(page.url()).toContain(`batch=${NIGHT}`);
    await page.goForward();
    await page.goForward();
    await screen.getByText("Do you want to proceed?").waitFor();
    expect(stage.problems).toEqual([]);
  });
});

/** Returns the demo's board, on which the first run's Triage Agent printed numbered lines, ten per second. */
async function boardOfLines(): Promise<FakeBoardSource> {
  const source = await demoBoard();
  const run = source.runsById.get(heroId) ?? expect.unreachable("the demo's first run");
  const lines = Array.from({ length: LINES }, (_, index) => ({
    type: "output" as const,
    seq: index + 2,
    t: (index + 1) * 100,
    // The page would be busy for hours if it inserted that many lines (S11).
    data: Buffer.from(`${index === 0 ? "\x1b[2147483647L" : "\r\n"}line ${index + 1}.`).toString("base64"),
  }));
  const durationMs = LINES * 100;
  const states = { schema: "afk-triage/board-states@1" as const, states: [], isTruncated: false };
  const recording = {
    schema: "afk-triage/board-recording@1" as const,
    sessionId: "01J9Z6Q0W3N5Y8T4B2C7D1E6FG",
    startedAtMs: 1,
    durationMs,
    isTruncated: false,
    window: { startMs: 0, endMs: durationMs, isEnd: true },
    frames: [{ type: "reset" as const, seq: 1, t: 0, cols: 60, rows: 10, paint: "" }, ...lines],
  };
  source.put({ ...run, terminals: { ...run.terminals, "triage-agent": { recording, states } } });
  return source;
}

/** Returns the text that a paste inserts into a temporary field, because this needs no permission in any browser. */
async function pasted(page: Page): Promise<string> {
  await page.evaluate(`(() => {
    const field = document.createElement("textarea");
    field.id = "pasted";
    document.body.append(field);
    field.focus();
  })()`);
  await page.keyboard.press("ControlOrMeta+v");
  return page.evaluate(`(() => {
    const field = document.getElementById("pasted");
    field.remove();
    return field.value;
  })()`);
}
