import { describe, expect, test } from "vitest";
import {
  buildRun,
  emptyStatistics,
  FakeBoardSource,
  hasBrowser,
  pageTests,
  withoutBrowser,
} from "../support/board/index.ts";

describe.skipIf(!hasBrowser)(`the board's page of duplicates${withoutBrowser}`, { timeout: 90_000 }, () => {
  const stageOf = pageTests();

  test("the page shows each cluster with its reporters, and distinguishes proven from possible duplicates (D5, D6)", async () => {
    await using stage = await stageOf();
    const { page } = stage;
    await stage.open("#/");
    await page.getByRole("link", { name: "Duplicates" }).click();
    await page.getByRole("heading", { name: "Duplicates" }).waitFor();
    const clusters = page.locator(".cluster");
    await clusters.first().waitFor();
    expect(await clusters.locator(".cluster-head").allTextContents()).toEqual([
      "3 reporters acme/widgets",
      "1 reporter acme/paint",
    ]);
    expect(await clusters.first().locator(".chip").allTextContents()).toEqual([
      "original",
      "is a duplicate",
      "may be the same",
    ]);
    // A title is shown as text, whatever it contains.
    await clusters.first().getByText("<b>wrong sign</b> in the export of tables").waitFor();
    const link = clusters.first().getByRole("link", { name: "#157" });
    expect(await link.getAttribute("href")).toBe("https://github.com/acme/widgets/issues/157");
    expect(await link.getAttribute("rel")).toBe("noreferrer noopener");
  });

  test("the page says when no issue is linked to another one, and the key `d` opens the page (D6)", async () => {
    const source = new FakeBoardSource(emptyStatistics);
    source.put(buildRun({ runId: "20261121T053000Z", number: 1, title: "Issue 1", startedAtMs: 1_000 }));
    await using stage = await stageOf({ source });
    await stage.open("#/");
    await stage.page.locator(".run-row").first().waitFor();
    await stage.page.keyboard.press("d");
    await stage.page.getByText("No issue is linked to another one yet.").waitFor();
    expect(await stage.page.locator(".cluster").count()).toBe(0);
  });
});
