import { describe, expect, test } from "vitest";
import {
  emptyStatistics,
  FakeBoardSource,
  hasChromium,
  pageTests,
  withoutBrowser,
} from "../support/board/index.ts";

function sourceWithClusters(): FakeBoardSource {
  const source = new FakeBoardSource(emptyStatistics);
  const url = (number: number): string => `https://github.com/acme/widgets/issues/${number}`;
  const member = (
    number: number,
    kind: "canonical" | "proven" | "may-be",
    title: string,
    reasons: string[] = [],
  ) => ({
    number,
    kind,
    title,
    reasons,
    issueUrl: url(number),
  });
  source.duplicatesDocument = {
    schema: "afk-triage/board-duplicates@1",
    clusters: [
      {
        repo: "acme/widgets",
        reporters: 3,
        members: [
          member(142, "canonical", "format() loses the sign of negative zero"),
          member(157, "proven", "-0 is printed as 0", [
            "Both reproductions stop showing the bug with commit 0123456789ab.",
          ]),
          member(160, "may-be", "<b>wrong sign</b>", ["Shared words: sign, zero"]),
        ],
      },
      {
        repo: "acme/paint",
        reporters: 1,
        members: [member(3, "canonical", "Crash"), member(9, "may-be", "It crashes")],
      },
    ],
  };
  return source;
}

describe.skipIf(!hasChromium)(`the board's page of duplicates${withoutBrowser}`, { timeout: 90_000 }, () => {
  const stageOf = pageTests();

  test("it shows each cluster with its reporters, and tells proven duplicates from those that may be (D5, D6)", async () => {
    await using stage = await stageOf({ source: sourceWithClusters() });
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
    // A title is text, whatever it holds.
    await clusters.first().getByText("<b>wrong sign</b>").waitFor();
    const link = clusters.first().getByRole("link", { name: "#157" });
    expect(await link.getAttribute("href")).toBe("https://github.com/acme/widgets/issues/157");
    expect(await link.getAttribute("rel")).toBe("noreferrer noopener");
  });

  test("it says so when no issue is linked to another one, and `d` leads there (D6)", async () => {
    await using stage = await stageOf();
    await stage.open("#/");
    await stage.page.locator(".run-row").first().waitFor();
    await stage.page.keyboard.press("d");
    await stage.page.getByText("No issue is linked to another one yet.").waitFor();
    expect(await stage.page.locator(".cluster").count()).toBe(0);
  });
});
