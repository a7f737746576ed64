import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { type BuiltProgram, buildProgram } from "../batch/program.ts";
import { chromiumPath, hasChromium, launchChromium } from "./chromium.ts";
import { demoBoard } from "./demo-board.ts";
import type { FakeBoardSource } from "./fake-board-source.ts";
import { openPageStage, type PageStage, PATIENCE_MS, type StageOptions } from "./page-stage.ts";

/** The suffix of titles of skipped tests. */
export const withoutBrowser = hasChromium
  ? ""
  : ` (skipped: no browser at ${chromiumPath}; apt-get install chromium, or name one with CHROMIUM)`;

/** Opens one page of one browser for the tests of a `describe`, with a demo board for those that change nothing. */
export function pageTests(): (options?: Partial<StageOptions>) => Promise<PageStage> {
  let browser: Browser;
  let page: Page;
  let program: BuiltProgram;
  let demo: FakeBoardSource;
  beforeAll(async () => {
    [browser, program, demo] = await Promise.all([launchChromium(), buildProgram(), demoBoard()]);
    page = await (await browser.newContext({ timezoneId: "UTC", locale: "en-GB" })).newPage();
    page.setDefaultTimeout(PATIENCE_MS);
  }, PATIENCE_MS);
  afterAll(async () => {
    await browser.close();
    await program[Symbol.asyncDispose]();
  });
  return (options = {}) =>
    openPageStage({ page, pageDirectory: join(program.directory, "board"), source: demo, ...options });
}

export function runHash(id: string, tab = ""): string {
  return `#/runs/${encodeURIComponent(id)}${tab}`;
}

export function rowOf(page: Page, number: number): Locator {
  return page.locator(".run-row", { hasText: `#${number}` }).first();
}
