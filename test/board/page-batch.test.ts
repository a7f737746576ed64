import { describe, expect, test } from "vitest";
import {
  demoBoard,
  hasBrowser,
  isFirefox,
  heroId,
  pageTests,
  PATIENCE_MS,
  runHash,
  withoutBrowser,
} from "../support/board/index.ts";

const NIGHT = "20261121T053000Z";
const EARLIER = "20261120T053000Z";

describe.skipIf(!hasBrowser)(
  `batches and evidence on the board's page${withoutBrowser}`,
  { timeout: 90_000 },
  () => {
    const stageOf = pageTests();
    const patience = { timeout: PATIENCE_MS };

    test("a batch is drawn as slots over time with its phases and critical path, and is also shown as a table (B10)", async () => {
      await using stage = await stageOf();
      const { page } = stage;
      await stage.open(`#/?batch=${NIGHT}`);
      await page.getByRole("link", { name: "slots over time, compare" }).click();
      const plot = page.getByRole("group", {
        name: /^Slots over time\. 21 Triage Runs in \d+ slots\. The critical path is #/,
      });
      await plot.waitFor();
      expect(await page.locator(".gantt-bar").count()).toBe(21);
      expect(await page.locator(".gantt-bar.critical").count()).toBeGreaterThan(0);
      expect(await page.locator(".gantt-bar .gantt-triaging").count()).toBeGreaterThan(5);
      await page.getByText("As a table").click();
      expect(await page.locator(".plot-table tbody tr").count()).toBe(21);
      expect(stage.problems).toEqual([]);
    });

    test("the bars of a batch are one tab stop: arrow keys move between them, and Enter opens the Triage Run (B12)", async () => {
      await using stage = await stageOf();
      const { page } = stage;
      await stage.open(`#/batches/${NIGHT}`);
      const bars = page.getByRole("link", { name: /, slot \d/ });
      await bars.first().waitFor();
      expect(await bars.count()).toBe(21);
      expect(await page.locator('.gantt-bar[tabindex="0"]').count()).toBe(1);
      await page.getByLabel("Compare with").focus();
      await page.keyboard.press("Tab");
      const focused = page.locator(".gantt-bar:focus");
      const name = (): Promise<string | null> => focused.getAttribute("aria-label");
      expect(await name()).toMatch(/^acme\/\w+ #\d+ .+: [a-z ]+, took \d+ min \d\d s, slot 1/);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        const ring = focused.locator(".gantt-focus");
        expect(await ring.isVisible()).toBe(true);
        // The ring has the colour of links, whose contrast another test measures.
        const [stroke, accent] = await Promise.all([
          ring.evaluate((rect) => getComputedStyle(rect).stroke),
          page.locator(".skip-link").evaluate((link) => getComputedStyle(link).color),
        ]);
        expect(stroke).toBe(accent);
      }
      const first = await name();
      await page.keyboard.press("ArrowDown");
      expect(await name()).toMatch(/, slot 2/);
      await page.keyboard.press("ArrowUp");
      expect(await name()).toBe(first);
      await page.keyboard.press("ArrowRight");
      expect(await name()).toMatch(/, slot 1/);
      expect(await name()).not.toBe(first);
      await page.keyboard.press("End");
      const last = await name();
      expect(last).toMatch(/: (?:verifying|preparing|triaging), [a-z ]+, for /);
      // The next Tab leaves the bars; Shift+Tab returns to the bar that had the focus.
      await page.keyboard.press("Tab");
      expect(await focused.count()).toBe(0);
      await page.keyboard.press("Shift+Tab");
      expect(await name()).toBe(last);
      await page.keyboard.press("Enter");
      await page.locator(".run-head h1").waitFor();
      expect(last).toContain(await page.locator(".run-head h1").textContent());
      expect(stage.problems).toEqual([]);
    });

    test("two batches are compared by their figures, and issues with different results are listed (B10)", async () => {
      const source = await demoBoard();
      const earlier = [...source.runsById.values()].find(({ document: { run } }) => run.runId === EARLIER);
      const later = [...source.runsById.values()].find(
        ({ document: { run } }) => run.end?.outcome === "wontfix",
      );
      if (earlier === undefined || later === undefined) throw new Error("the demo has no such runs");
      const { repo } = later.document.run;
      source.change(earlier.document.run.id, {
        repo,
        number: later.document.run.number,
        end: { status: "applied", reason: "", outcome: "needs-info", error: null },
      });
      await using stage = await stageOf({ source });
      const { page } = stage;
      await stage.open(`#/batches/${NIGHT}`);
      await page.getByLabel("Compare with").selectOption(EARLIER);
      const table = page.locator(".comparison table");
      await table.waitFor();
      expect((await table.locator("thead th").allTextContents()).slice(1)).toEqual([EARLIER, NIGHT]);
      expect(await table.locator("tbody tr").first().locator("td").allTextContents()).toEqual(["8", "21"]);
      const changed = page.locator(".comparison .rows li", {
        hasText: `${repo}#${later.document.run.number}`,
      });
      expect(await changed.locator(".chip").allTextContents()).toEqual(["needs info", "wontfix"]);
      await page.reload();
      await table.waitFor();
      expect(stage.problems).toEqual([]);
    });

    test("the comment is laid out without active elements, and its Markdown is available, too (B10)", async () => {
      await using stage = await stageOf();
      const { page } = stage;
      await stage.open(runHash(heroId, "/comment"));
      const comment = page.locator(".inert-comment");
      await comment.getByRole("heading", { name: "Ready for an implementer" }).waitFor();
      expect(await comment.locator("a, img, button, input, details").count()).toBe(0);
      expect(await comment.locator(".inert-strong").first().textContent()).toBe("3 of 3");
      expect(await comment.textContent()).not.toContain("**");
      await page.getByText("As Markdown").click();
      expect(await page.locator("pre.code.wrap").textContent()).toContain("**3 of 3**");
    });

    test("the versions of a verified bug are shown as a line from the oldest to the newest, next to runs and controls (B10)", async () => {
      await using stage = await stageOf();
      const { page } = stage;
      await stage.open(runHash(heroId, "/reproduction"));
      const line = page.getByRole("list", { name: "Versions, the oldest first" });
      await line.waitFor();
      expect(await line.getByRole("listitem").allTextContents()).toEqual([
        "earlierworks",
        "from 3.1.0shows the bug",
      ]);
      await page.getByText("controls that showed it too").waitFor();
    });

    test("the patch of a run is shown line by line (B10)", async () => {
      const source = await demoBoard();
      const run = source.runsById.get(heroId);
      if (run === undefined) throw new Error("no hero");
      const patch = Buffer.from("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+<b>new</b>\n");
      const artifacts = [{ kind: "patch" as const, sizeBytes: patch.length, mediaType: "text/plain" }];
      source.put({ ...run, document: { ...run.document, artifacts }, files: { ...run.files, patch } });
      await using stage = await stageOf({ source });
      await stage.open(runHash(heroId, "/artifacts"));
      const added = stage.page.locator(".patch-added");
      await added.waitFor();
      expect([await added.textContent(), await stage.page.locator(".patch-removed").textContent()]).toEqual([
        "+<b>new</b>\n",
        "-old\n",
      ]);
      expect(stage.problems).toEqual([]);
    });

    test("the filtered table is saved as CSV and JSON, and no title becomes a formula (B10)", async () => {
      const source = await demoBoard();
      source.change(heroId, { title: '=HYPERLINK("x"), said "a"' });
      await using stage = await stageOf({ source });
      const { page } = stage;
      await stage.open("#/?repo=acme%2Fwidgets");
      const shown = page.getByText(/^\d+ of 35 Triage Runs$/);
      await shown.waitFor();
      const total = Number(/^\d+/.exec((await shown.textContent()) ?? "")?.[0]);
      const save = async (name: string): Promise<string> => {
        const saved = await stage.save(() => page.getByRole("button", { name, exact: true }).click());
        expect(saved.name).toBe(`triage-runs.${name.toLowerCase()}`);
        return saved.text;
      };
      const lines = (await save("CSV")).trimEnd().split("\r\n");
      expect(lines[0]).toMatch(/^repository,issue,title,/);
      expect(lines.length - 1).toBe(total);
      expect(lines.find((line) => line.includes("HYPERLINK"))).toContain(`"'=HYPERLINK(""x""), said ""a"""`);
      const runs = JSON.parse(await save("JSON")) as { repo: string }[];
      expect([runs.length, new Set(runs.map(({ repo }) => repo))]).toEqual([
        total,
        new Set(["acme/widgets"]),
      ]);
    });

    // Firefox's protocol cannot show how a page prints.
    test.skipIf(isFirefox)("a printed page omits elements that work only on a screen (B10)", async () => {
      await using stage = await stageOf();
      const { page } = stage;
      await stage.open(runHash(heroId, "/outcome"));
      await page.getByRole("tablist").waitFor();
      await page.emulateMedia({ media: "print" });
      await expect.poll(() => page.locator(".header").isVisible(), patience).toBe(false);
      expect([
        await page.getByRole("tablist").isVisible(),
        await page.locator(".run-head h1").isVisible(),
      ]).toEqual([false, true]);
      await page.emulateMedia({ media: "screen" });
    });
  },
);
