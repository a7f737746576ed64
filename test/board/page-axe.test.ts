import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { systemClock, systemIds } from "agent-tty/kit";
import { describe, expect, test } from "vitest";
import { writeReport } from "../../src/board/index.ts";
import {
  hasBrowser,
  heroId,
  NIGHT,
  pageTests,
  runHash,
  violationsInAllLooks,
  waitingId,
  withoutBrowser,
} from "../support/board/index.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** Each view, with an element that exists once the view is drawn. */
const views: readonly [name: string, hash: string, drawn: string][] = [
  ["list", "#/", ".run-row"],
  ["list of one batch", `#/?batch=${NIGHT}`, ".run-row"],
  ["terminal", runHash(heroId), ".player"],
  ["terminal with a dialog and controls", runHash(waitingId), ".control"],
  ...["issue", "outcome", "reproduction", "comment", "audit", "pull-requests", "artifacts"].map(
    (tab): [string, string, string] => [tab, runHash(heroId, `/${tab}`), "#panel > *"],
  ),
  ["batch", `#/batches/${NIGHT}?with=20261120T053000Z`, ".comparison table"],
  ["plots", "#/plots", ".plot svg"],
  ["duplicates", "#/duplicates", ".cluster"],
  ["trust", "#/trust", ".trust-card tbody tr"],
];

describe.skipIf(!hasBrowser)(
  `accessibility of the board's page${withoutBrowser}`,
  { timeout: 240_000 },
  () => {
    const stageOf = pageTests();

    test("axe finds no violation on any view, light or dark, on a phone or a wide screen (B12)", async () => {
      await using stage = await stageOf({ allowsControl: true });
      const { page } = stage;
      const found: string[] = [];
      for (const [name, hash, drawn] of views) {
        await stage.open(hash);
        await page.locator(drawn).first().waitFor();
        found.push(...(await violationsInAllLooks(page, name)));
      }
      await page.keyboard.press("?");
      await page.getByRole("dialog").waitFor();
      found.push(...(await violationsInAllLooks(page, "help")));
      await page.context().clearCookies();
      await page.reload();
      await page.getByRole("heading", { name: "This browser is not signed in" }).waitFor();
      found.push(...(await violationsInAllLooks(page, "signed out")));
      expect(found).toEqual([]);
    });

    test("axe finds no violation in a report on disk, light or dark, on a phone or a wide screen (B12)", async () => {
      await using stage = await stageOf();
      await using directory = await temporaryDirectory();
      const { page, source, pageDirectory } = stage;
      const batch = source.batchesById.get(NIGHT) ?? expect.unreachable("the demo's last batch");
      await writeReport({
        source,
        batch,
        directory: directory.path,
        pageDirectory,
        ids: systemIds(systemClock),
      });
      const found: string[] = [];
      for (const [name, hash, drawn] of views.filter(([name]) =>
        ["list", "terminal", "plots"].includes(name),
      )) {
        await page.goto(`${pathToFileURL(join(directory.path, "index.html")).href}${hash}`);
        await page.locator(drawn).first().waitFor();
        found.push(...(await violationsInAllLooks(page, `report: ${name}`)));
      }
      expect(found).toEqual([]);
    });
  },
);
