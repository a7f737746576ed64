import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { buildPage } from "./built-page.ts";
import { chromiumPath, hasChromium, launchChromium } from "./chromium.ts";
import { demoBoard } from "./demo-board.ts";
import type { FakeBoardSource } from "./fake-board-source.ts";
import { openPageStage, type PageStage, type StageOptions } from "./page-stage.ts";

/** For the titles of what is skipped. */
export const withoutBrowser = hasChromium
  ? ""
  : ` (skipped: no browser at ${chromiumPath}; apt-get install chromium, or name one with CHROMIUM)`;

/** One browser and one built page for the tests of a `describe`, and a demo board for those that change nothing. */
export function pageTests(): (options?: Partial<StageOptions>) => Promise<PageStage> {
  let browser: Browser;
  let built: Awaited<ReturnType<typeof buildPage>>;
  let demo: FakeBoardSource;
  beforeAll(async () => {
    [browser, built, demo] = await Promise.all([launchChromium(), buildPage(), demoBoard()]);
  });
  afterAll(async () => {
    await browser.close();
    await built[Symbol.asyncDispose]();
  });
  return (options = {}) =>
    openPageStage({ browser, pageDirectory: built.directory, source: demo, ...options });
}

export function runHash(id: string, tab = ""): string {
  return `#/runs/${encodeURIComponent(id)}${tab}`;
}

export function rowOf(page: Page, number: number): Locator {
  return page.locator(".run-row", { hasText: `#${number}` }).first();
}
