import { describe, expect, test } from "vitest";
import {
  buildRun,
  emptyStatistics,
  FakeBoardSource,
  hasBrowser,
  heroId,
  NIGHT,
  pageTests,
  PATIENCE_MS,
  rowOf,
  runHash,
  waitingId,
  withoutBrowser,
} from "../support/board/index.ts";

describe.skipIf(!hasBrowser)(`the board's page${withoutBrowser}`, { timeout: 90_000 }, () => {
  const stageOf = pageTests();
  const patience = { timeout: PATIENCE_MS };

  test("the indicator 🟡 pulses, except for users who prefer reduced motion (L9)", async () => {
    const animation = async (reducedMotion: "reduce" | "no-preference"): Promise<string> => {
      await using stage = await stageOf({ media: { reducedMotion } });
      await stage.open("#/");
      const mark = rowOf(stage.page, 151).locator("[data-symbol='🟡'] svg");
      await mark.waitFor();
      return await mark.evaluate((element) => getComputedStyle(element).animationName);
    };
    expect([await animation("no-preference"), await animation("reduce")]).toEqual(["pulse", "none"]);
  });

  test("the evidence grade is shown in the list, the head of the run view and next to the verdict (V7)", async () => {
    await using stage = await stageOf();
    const { page } = stage;
    const grade = "verified: 3 of 3 runs, 0 of 4 control runs show it too, in a separate environment";
    await stage.open("#/");
    const row = rowOf(page, 142).locator(".col-result .run-sub");
    await row.waitFor();
    expect([await row.getAttribute("title"), await row.textContent()]).toEqual([
      grade,
      expect.stringContaining("verified 3/3"),
    ]);
    await stage.open(runHash(heroId));
    await page.getByText(grade).waitFor();
    await page.getByRole("tab", { name: "Reproduction" }).click();
    await page.locator("dl.facts", { hasText: "grade" }).last().getByText(grade).waitFor();
  });

  test("the run view shows the issue and its comments, without active content (B10)", async () => {
    await using stage = await stageOf();
    const { page } = stage;
    await stage.open(runHash(heroId));
    await page.getByRole("tab", { name: "Issue", exact: true }).click();
    const panel = page.getByRole("tabpanel", { name: "Issue" });
    await panel.getByText('format([{ name: "delta"').waitFor();
    await panel.getByRole("heading", { name: "Comment of the reporter" }).waitFor();
    expect(await panel.locator(".post a, .post img, .post script").count()).toBe(0);
  });

  test("links to GitHub pass neither a referrer nor an opener", async () => {
    await using stage = await stageOf();
    await stage.open(runHash(heroId));
    const link = stage.page.getByRole("link", { name: "acme/widgets #142" });
    expect(await link.getAttribute("rel")).toBe("noreferrer noopener");
    expect(await link.getAttribute("href")).toBe("https://github.com/acme/widgets/issues/142");
  });

  test("the list can be used by keyboard alone: j, k, Enter, /, Escape, l and ?", async () => {
    await using stage = await stageOf();
    const { page } = stage;
    await stage.open("#/");
    await page.locator(".run-row").first().waitFor();
    const focused = (): Promise<string> =>
      page.evaluate("document.activeElement.closest('.run-row')?.dataset.row ?? 'none'");
    await page.keyboard.press("j");
    await expect.poll(focused, patience).toBe("0");
    await page.keyboard.press("j");
    await expect.poll(focused, patience).toBe("1");
    await page.keyboard.press("k");
    await expect.poll(focused, patience).toBe("0");
    // A key press that follows immediately applies to the row that has the focus now.
    const next = "window.dispatchEvent(new KeyboardEvent('keydown', { key: 'j' }))";
    expect(await page.evaluate(`${next}; document.activeElement.closest('.run-row').dataset.row`)).toBe("1");
    await page.keyboard.press("/");
    await page.keyboard.type("negative zero");
    await page.getByText("1 of 35 Triage Runs").waitFor();
    await page.keyboard.press("Enter");
    await expect.poll(focused, patience).toBe("0");
    await page.keyboard.press("Enter");
    const runView = page.getByRole("heading", { name: "format() loses the sign" });
    await runView.waitFor();
    await page.keyboard.press("Escape");
    // The next Escape is for the list, so wait until the run view is gone.
    await runView.waitFor({ state: "detached" });
    await page.getByText("1 of 35 Triage Runs").waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("35 Triage Runs", { exact: true }).waitFor();
    await page.keyboard.press("l");
    await page.getByText("4 of 35 Triage Runs").waitFor();
    expect(await page.getByRole("button", { name: "in progress" }).getAttribute("aria-pressed")).toBe("true");
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Keyboard" }).waitFor({ state: "detached" });
    // The dialog handles its Escape, not the page.
    expect(await page.getByText("4 of 35 Triage Runs").count()).toBe(1);
  });

  test("filters and sorting are in the address and survive a reload", async () => {
    await using stage = await stageOf();
    const { page } = stage;
    await stage.open("#/");
    await page.getByLabel("Repository").selectOption("acme/paint");
    await page.getByLabel("Outcome").selectOption("needs-info");
    await page.getByRole("columnheader", { name: "Cost" }).getByRole("button").click();
    const titles = (): Promise<string[]> => page.locator(".run-title").allTextContents();
    const reads: string[] = [];
    page.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url());
      const isOfList = pathname === "/api/runs" && !searchParams.has("live");
      if (isOfList) reads.push(searchParams.get("repo") ?? "every repository");
    });
    await page.reload();
    await page.locator(".run-row").first().waitFor();
    // The page never reads, nor shows for a moment, the runs that do not match.
    expect(new Set(reads)).toEqual(new Set(["acme/paint"]));
    const rows = await titles();
    expect(rows.length).toBeGreaterThan(0);
    expect(await page.locator(".run-row").count()).toBe(rows.length);
    expect(await page.locator(".col-result .chip").allTextContents()).toEqual(rows.map(() => "needs info"));
    expect(await page.getByRole("columnheader", { name: "Cost" }).getAttribute("aria-sort")).toBe(
      "descending",
    );
  });

  test("a list of a thousand runs renders only the rows near the visible ones, and the last row can be reached", async () => {
    const source = new FakeBoardSource(emptyStatistics);
    for (let number = 1; number <= 1_000; number += 1)
      source.put(
        buildRun({
          runId: "20261121T053000Z",
          number,
          title: `Issue ${number}`,
          startedAtMs: number * 1_000,
        }),
      );
    await using stage = await stageOf({ source });
    const { page } = stage;
    await stage.open("#/?sort=issue&order=ascending");
    await page.getByText("1,000 Triage Runs").waitFor();
    expect(await page.locator(".run-row").count()).toBeLessThan(80);
    await page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)");
    await page.getByText("Issue 1000", { exact: true }).waitFor();
    expect(await page.locator(".run-row").count()).toBeLessThan(80);
    expect(await page.getByRole("table").getAttribute("aria-rowcount")).toBe("1001");
  });

  test("returning from a run restores the scroll position and the filters", async () => {
    await using stage = await stageOf();
    const { page } = stage;
    await stage.open("#/?repo=acme%2Fwidgets");
    await page.locator(".run-row").first().waitFor();
    const scrolled = (): Promise<number> => page.evaluate("Math.round(window.scrollY)");
    await page.evaluate("window.scrollTo(0, 400)");
    const opened = page.locator('[data-row="8"] a');
    // A click would scroll to a row that is not visible, and which rows are visible depends on the browser's fonts.
    await opened.scrollIntoViewIfNeeded();
    const before = await scrolled();
    expect(before).toBeGreaterThan(200);
    await opened.click();
    await page.getByRole("tablist").waitFor();
    await expect.poll(scrolled, patience).toBe(0);
    await page.getByRole("button", { name: "Board", exact: true }).click();
    await page.locator(".run-row").first().waitFor();
    await expect.poll(scrolled, patience).toBe(before);
    expect(await page.getByLabel("Repository").inputValue()).toBe("acme/widgets");
  });

  test("the page fits a screen of 360 pixels, and the selected tab is visible (B12)", async () => {
    await using stage = await stageOf({
      viewport: { width: 360, height: 740 },
      allowsControl: true,
    });
    const { page } = stage;
    for (const [hash, content] of [
      ["#/", ".run-row"],
      ["#/plots", ".plot svg"],
      [runHash(heroId), ".xterm-rows span"],
      [runHash(waitingId), ".xterm-rows span"],
      [runHash(heroId, "/outcome"), "[role=tabpanel]"],
      [runHash(heroId, "/reproduction"), "[role=tabpanel]"],
      [runHash(heroId, "/audit"), "[role=tabpanel]"],
      [`#/batches/${NIGHT}?with=20261120T053000Z`, ".comparison table"],
    ] as const) {
      await stage.open(hash);
      await page.locator(content).last().waitFor();
      const overflow = (): Promise<unknown> =>
        page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
      await expect.poll(overflow, { ...patience, message: hash }).toBe(0);
    }
    await stage.open(runHash(heroId, "/artifacts"));
    const tab = page.getByRole("tab", { name: /^Artifacts/ });
    await tab.waitFor();
    const edges = (): Promise<boolean> =>
      tab.evaluate((element) => {
        const { left, right } = element.getBoundingClientRect();
        return left >= 0 && right <= 360;
      });
    await expect.poll(edges, patience).toBe(true);
  });

  test("the colour theme follows the system, and a choice is remembered", async () => {
    await using stage = await stageOf({ media: { colorScheme: "dark" } });
    const { page } = stage;
    const ground = (): Promise<string> =>
      page.evaluate("getComputedStyle(document.documentElement).backgroundColor");
    await stage.open("#/");
    const [dark] = [await ground()];
    await page.getByRole("button", { name: "Colours: system" }).click();
    await expect.poll(ground, patience).not.toBe(dark);
    const light = await ground();
    await page.reload();
    await page.getByRole("button", { name: "Colours: light" }).waitFor();
    await expect.poll(ground, patience).toBe(light);
    await page.emulateMedia({ colorScheme: "light" });
    await page.getByRole("button", { name: "Colours: light" }).click();
    await expect.poll(ground, patience).toBe(dark);
  });

  test("plots have a title, a description and a table", async () => {
    await using stage = await stageOf();
    const { page } = stage;
    await stage.open("#/plots");
    await page.locator(".plot svg").last().waitFor();
    const names = await page
      .locator(".plot svg")
      .evaluateAll((all) =>
        all.map((one) => [
          one.querySelector("title")?.textContent,
          one.querySelector("desc")?.textContent !== "",
        ]),
      );
    expect(names).toEqual([
      ["Outcomes over time", true],
      ["Time per phase", true],
      ["Cost per outcome", true],
      ["Queue age", true],
    ]);
    await page.getByText("As a table").nth(2).click();
    await page.getByRole("cell", { name: "$70.20" }).waitFor();
    expect(stage.problems).toEqual([]);
  });

  test("every button and field has an accessible name", async () => {
    await using stage = await stageOf({ allowsControl: true });
    const { page } = stage;
    const nameless: string[] = [];
    for (const [hash, content] of [
      ["#/", ".run-row"],
      ["#/plots", ".plot svg"],
      [runHash(heroId), ".xterm-rows span"],
      [runHash(waitingId), ".xterm-rows span"],
    ] as const) {
      await stage.open(hash);
      await page.locator(content).last().waitFor();
      for (const role of [
        "button",
        "link",
        "textbox",
        "searchbox",
        "combobox",
        "checkbox",
        "slider",
        "tab",
      ] as const) {
        if ((await page.getByRole(role, { name: /^\s*$/ }).count()) > 0) nameless.push(`${hash}: a ${role}`);
      }
    }
    expect(nameless).toEqual([]);
  });

  test("an empty board explains how to start, and a page without sign-in how to sign in", async () => {
    {
      await using empty = await stageOf({ source: new FakeBoardSource(emptyStatistics) });
      await empty.open("#/");
      await empty.page.getByText("afk-triage run --repo owner/name").waitFor();
    }
    await using stranger = await stageOf({ isSignedIn: false });
    await stranger.open("#/");
    await stranger.page.locator(".command").getByText("afk-triage serve").waitFor();
    expect(await stranger.page.locator(".run-row").count()).toBe(0);
  });
});
