import type { Page } from "playwright-core";
import type { Board } from "../../../src/board/index.ts";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { poll } from "../batch/poll.ts";
import { isFirefox, type Media } from "./browser.ts";
import type { FakeBoardSource } from "./fake-board-source.ts";
import { serveFakeBoard, TOKEN } from "./serve-fake-board.ts";
import { watch } from "./watch-page.ts";

export interface StageOptions {
  /** A page shared by many stages, so that the browser compiles the code and draws only once. */
  page: Page;
  pageDirectory: string;
  /** The directory in which Firefox saves downloads. */
  downloads: string;
  source: FakeBoardSource;
  allowsControl?: boolean;
  viewport?: { width: number; height: number };
  media?: Media;
  /** Default: the browser is signed in by the address that `serve` prints. */
  isSignedIn?: boolean;
  /** Default 127.0.0.1, where other programs may take the port while the server is stopped. */
  host?: string;
}

const DESKTOP = { width: 1280, height: 800 };

/** The time, in milliseconds, that a busy machine may take for an immediate change. */
export const PATIENCE_MS = 45_000;

/** A page connected to the real server over a fake source. */
export interface PageStage extends AsyncDisposable {
  readonly page: Page;
  readonly url: string;
  readonly source: FakeBoardSource;
  /** The directory of the built page. */
  readonly pageDirectory: string;
  /** Violations; see `watch`. */
  readonly problems: string[];
  open(hash: string): Promise<void>;
  /** Returns the file that the click saves. */
  save(click: () => Promise<void>): Promise<{ name: string; text: string }>;
  stopServer(): Promise<void>;
  /** Starts the server on the same port, like a restarted `serve`. */
  startServer(): Promise<void>;
}

export async function openPageStage(options: StageOptions): Promise<PageStage> {
  const { page, pageDirectory, downloads, source, allowsControl = false, isSignedIn = true, host } = options;
  const serve = (port: number): Promise<Board> =>
    serveFakeBoard(source, { pageDirectory, allowsControl, port, host });
  let board: Board | null = await serve(0);
  const { url, port } = board;
  await page.setViewportSize(options.viewport ?? DESKTOP);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "no-preference", ...options.media });
  const problems: string[] = [];
  const watching = watch(page, url, problems);
  if (isSignedIn) await page.context().request.get(`${url}?token=${TOKEN}`, { maxRedirects: 0 });
  const stopServer = async (): Promise<void> => {
    await board?.[Symbol.asyncDispose]();
    board = null;
  };
  return {
    page,
    url,
    source,
    pageDirectory,
    problems,
    open: async (hash) => {
      await page.goto(`${url}${hash}`);
      await page.locator("#main").waitFor();
    },
    save: (click) => (isFirefox ? savedBelow(downloads, click) : savedBy(page, click)),
    stopServer,
    startServer: async () => void (board = await serve(port)),
    [Symbol.asyncDispose]: async () => {
      watching[Symbol.dispose]();
      // Clears the page's stored data, because another stage may get this port. A page that was never opened has no such data.
      await page.evaluate("localStorage.clear()").catch(() => undefined);
      await page.context().clearCookies();
      // Otherwise its last view would continue to send requests while the next stage listens.
      await page.goto("about:blank");
      await stopServer();
    },
  };
}

async function savedBy(page: Page, click: () => Promise<void>): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([page.waitForEvent("download"), click()]);
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), "utf8") };
}

/** Firefox ESR 153 reports no event for a download, but it saves under the file's own name. */
async function savedBelow(
  directory: string,
  click: () => Promise<void>,
): Promise<{ name: string; text: string }> {
  const before = await readdir(directory);
  await click();
  return poll("a saved file", async () => {
    const name = (await readdir(directory)).find((one) => !before.includes(one) && !one.endsWith(".part"));
    const text = name === undefined ? "" : await readFile(join(directory, name), "utf8");
    return name === undefined || text === "" ? null : { name, text };
  });
}
