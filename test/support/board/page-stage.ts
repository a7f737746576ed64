import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { Board } from "../../../src/board/index.ts";
import type { FakeBoardSource } from "./fake-board-source.ts";
import { serveFakeBoard, TOKEN } from "./serve-fake-board.ts";

export interface StageOptions {
  browser: Browser;
  pageDirectory: string;
  source: FakeBoardSource;
  allowsControl?: boolean;
  context?: BrowserContextOptions;
  /** Default: the browser comes with the address that `serve` prints. */
  isSignedIn?: boolean;
}

/** A browser in front of the real server over a fake source. */
export interface PageStage extends AsyncDisposable {
  readonly page: Page;
  readonly url: string;
  readonly source: FakeBoardSource;
  /** What must not happen: errors of the page, anything its policy had to stop, a request to anywhere else, a dialog. */
  readonly problems: string[];
  /** `#/…` */
  open(hash: string): Promise<void>;
  stopServer(): Promise<void>;
  /** On the same port, as a restarted `serve`. */
  startServer(): Promise<void>;
}

export async function openPageStage(options: StageOptions): Promise<PageStage> {
  const { browser, pageDirectory, source, allowsControl = false, isSignedIn = true } = options;
  const serve = (port: number): Promise<Board> =>
    serveFakeBoard(source, { pageDirectory, allowsControl, port });
  let board: Board | null = await serve(0);
  const { url, port } = board;
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    timezoneId: "UTC",
    locale: "en-GB",
    ...options.context,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const problems: string[] = [];
  watch(page, url, problems);
  if (isSignedIn) await page.goto(`${url}?token=${TOKEN}`);
  const stopServer = async (): Promise<void> => {
    await board?.[Symbol.asyncDispose]();
    board = null;
  };
  return {
    page,
    url,
    source,
    problems,
    open: async (hash) => {
      await page.goto(`${url}${hash}`);
      await page.locator("#main").waitFor();
    },
    stopServer,
    startServer: async () => void (board = await serve(port)),
    [Symbol.asyncDispose]: async () => {
      await context.close();
      await stopServer();
    },
  };
}

export function watch(page: Page, home: string, problems: string[]): void {
  page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning")
      problems.push(`console: ${message.text()}`);
  });
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const { protocol } = new URL(request.url());
    if (!request.url().startsWith(home) && protocol !== "data:") problems.push(`request: ${request.url()}`);
  });
  page.on("popup", (popup) => problems.push(`popup: ${popup.url()}`));
}
