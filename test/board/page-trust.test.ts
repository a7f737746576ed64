import { describe, expect, test } from "vitest";
import {
  buildRun,
  emptyStatistics,
  FakeBoardSource,
  hasBrowser,
  pageTests,
  withoutBrowser,
} from "../support/board/index.ts";

describe.skipIf(!hasBrowser)(`the board's page of trust${withoutBrowser}`, { timeout: 90_000 }, () => {
  const stageOf = pageTests();

  test("the page plots acceptance with intervals, calibration and cost, each also as a table, and lists overrides (E5)", async () => {
    await using stage = await stageOf();
    const { page } = stage;
    await stage.open("#/");
    await page.getByRole("link", { name: "Trust" }).click();
    await page.getByRole("heading", { name: "Trust" }).waitFor();
    const plot = page.locator(".plot", { hasText: "Acceptance by kind of outcome" });
    await plot.locator("svg").waitFor();
    expect(await plot.locator(".interval").count()).toBe(3);
    await plot.getByText("As a table").click();
    expect(await plot.locator("tbody tr").allTextContents()).toEqual([
      expect.stringMatching(/^close12\d+ of 12/),
      expect.stringMatching(/^needs info40\d+ of 40/),
      expect.stringMatching(/^ready for agent90\d+ of 90/),
    ]);
    for (const title of ["Acceptance by week", "Calibration", "Cost per accepted outcome"])
      await page.getByRole("heading", { name: title, exact: true }).waitFor();
    const moves = page.locator(".trust-card", { hasText: "Moves of autonomy" });
    expect(await moves.locator("tbody tr").textContent()).toContain("suggest → apply");
    const overrides = page.locator(".trust-card", { hasText: "Outcomes that were not accepted" });
    const link = overrides.getByRole("link").first();
    expect(await link.getAttribute("href")).toMatch(/^https:\/\/github\.com\/acme\/widgets\/issues\/\d+$/);
    await expect(overrides.locator("tbody tr").first().textContent()).resolves.toContain("maria (maintain)");
  });

  test("without recorded outcomes, the page says what to do; the key `t` opens the page (E5)", async () => {
    const source = new FakeBoardSource(emptyStatistics);
    source.put(buildRun({ runId: "20261121T053000Z", number: 1, title: "Issue 1", startedAtMs: 1_000 }));
    await using stage = await stageOf({ source });
    await stage.open("#/");
    await stage.page.locator(".run-row").first().waitFor();
    await stage.page.keyboard.press("t");
    await stage.page.getByText("No outcome is recorded yet.").waitFor();
    await stage.page.getByText("afk-triage backtest").waitFor();
    expect(await stage.page.locator(".plot").count()).toBe(0);
  });
});
