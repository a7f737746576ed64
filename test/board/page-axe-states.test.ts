import { describe, expect, test } from "vitest";
import { reportHtml, sweepReport } from "../../src/sweep/index.ts";
import {
  emptyStatistics,
  FakeBoardSource,
  hasBrowser,
  heroId,
  MORNING_MS,
  NIGHT,
  pageTests,
  runHash,
  violationsInAllLooks,
  waitingId,
  withoutBrowser,
} from "../support/board/index.ts";
import { brokenVerdict, fixedVerdict, sweptIssue } from "../support/swept-issue.ts";

describe.skipIf(!hasBrowser)(
  `accessibility of the board's empty views, of its dialogs and of the sweep's page${withoutBrowser}`,
  { timeout: 240_000 },
  () => {
    const stageOf = pageTests();

    test("axe finds no violation on a board without runs, duplicates or outcomes (B12)", async () => {
      await using stage = await stageOf({ source: new FakeBoardSource(emptyStatistics) });
      const { page } = stage;
      const found: string[] = [];
      for (const view of ["", "plots", "duplicates", "trust"]) {
        await stage.open(`#/${view}`);
        await page.locator(".empty, .plots, .notice").first().waitFor();
        found.push(...(await violationsInAllLooks(page, `empty ${view}`)));
      }
      expect(found).toEqual([]);
    });

    test("axe finds no violation when a filter matches nothing, or when a run or a batch does not exist (B12)", async () => {
      await using stage = await stageOf();
      const { page } = stage;
      const found: string[] = [];
      for (const [name, hash, shown] of [
        ["no match", "#/?q=nothing-is-called-this", "No Triage Run matches these filters."],
        ["no run", runHash(`${NIGHT}:acme~widgets:999999`), "To the board"],
        ["no batch", "#/batches/20200101T000000Z", "20200101T000000Z"],
      ] as const) {
        await stage.open(hash);
        await page.getByText(shown).first().waitFor();
        found.push(...(await violationsInAllLooks(page, name)));
      }
      expect(found).toEqual([]);
    });

    test("axe finds no violation in the search of a recording, in a live terminal, and in confirmation dialogs (B12)", async () => {
      await using stage = await stageOf({ allowsControl: true });
      const { page } = stage;
      const found: string[] = [];
      await stage.open(runHash(heroId));
      await page.locator(".player").waitFor();
      await page.keyboard.press("/");
      await page.getByRole("searchbox").fill("the");
      await page.getByRole("list", { name: "Results" }).getByRole("button").first().waitFor();
      found.push(...(await violationsInAllLooks(page, "search")));
      await page.getByRole("button", { name: "Verify again" }).click();
      await page.getByRole("dialog").waitFor();
      found.push(...(await violationsInAllLooks(page, "question before a follow-up")));
      await stage.open(runHash(waitingId));
      await page.getByRole("button", { name: "Live" }).waitFor();
      await page.locator(".live-mark").waitFor();
      found.push(...(await violationsInAllLooks(page, "live terminal")));
      expect(found).toEqual([]);
    });

    test("axe finds no violation on the page of the sweep, with issues and without (B12, W6)", async () => {
      await using stage = await stageOf({ isSignedIn: false });
      const { page } = stage;
      const found: string[] = [];
      const issues = [
        sweptIssue(1, fixedVerdict, {
          labels: ["parser"],
          close: { type: "done", at: "2026-11-02T00:00:00Z" },
        }),
        sweptIssue(2, brokenVerdict, { people: 4, reactions: 9 }),
        sweptIssue(3, { type: "withheld" }, { title: "(withheld)" }),
      ];
      for (const [name, shown] of [
        ["sweep", issues],
        ["empty sweep", []],
      ] as const) {
        await page.setContent(reportHtml(sweepReport(shown, MORNING_MS), "n"));
        found.push(...(await violationsInAllLooks(page, name)));
      }
      expect(found).toEqual([]);
    });
  },
);
