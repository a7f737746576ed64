import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { type BuiltProgram, buildProgram } from "../batch/program.ts";
import { browserPath, hasBrowser, isFirefox, launchBrowser, type Media } from "./browser.ts";
import { temporaryDirectory } from "../temporary-directory.ts";
import { demoBoard } from "./demo-board.ts";
import type { FakeBoardSource } from "./fake-board-source.ts";
import { openPageStage, type PageStage, PATIENCE_MS, type StageOptions } from "./page-stage.ts";

/** The suffix of titles of skipped tests. */
export const withoutBrowser = hasBrowser
  ? ""
  : ` (skipped: no browser at ${browserPath}; install Debian's, or name one with CHROMIUM or FIREFOX)`;

/** Opens one page of one browser for the tests of a `describe`, with a demo board for those that change nothing. */
export function pageTests(): (options?: Partial<StageOptions>) => Promise<PageStage> {
  const browsers = new Map<string, Promise<OpenBrowser>>();
  let program: BuiltProgram;
  let demo: FakeBoardSource;
  const browserOf = (media: Media): Promise<OpenBrowser> => {
    const key = isFirefox ? JSON.stringify(media) : "";
    const opening = browsers.get(key) ?? openBrowser(media);
    browsers.set(key, opening);
    return opening;
  };
  beforeAll(async () => {
    [, program, demo] = await Promise.all([browserOf({}), buildProgram(), demoBoard()]);
  }, PATIENCE_MS);
  afterAll(async () => {
    for (const opening of browsers.values()) {
      const { browser, downloads } = await opening;
      await browser.close();
      await downloads[Symbol.asyncDispose]();
    }
    await program[Symbol.asyncDispose]();
  });
  return async (options = {}) => {
    const { page, downloads } = await browserOf(options.media ?? {});
    return openPageStage({
      page,
      downloads: downloads.path,
      pageDirectory: join(program.directory, "board"),
      source: demo,
      ...options,
    });
  };
}

interface OpenBrowser {
  browser: Browser;
  page: Page;
  downloads: Awaited<ReturnType<typeof temporaryDirectory>>;
}

async function openBrowser(media: Media): Promise<OpenBrowser> {
  const downloads = await temporaryDirectory();
  const browser = await launchBrowser(media, downloads.path);
  const page = await (await browser.newContext({ timezoneId: "UTC", locale: "en-GB" })).newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  return { browser, page, downloads };
}

export function runHash(id: string, tab = ""): string {
  return `#/runs/${encodeURIComponent(id)}${tab}`;
}

export function rowOf(page: Page, number: number): Locator {
  return page.locator(".run-row", { hasText: `#${number}` }).first();
}
