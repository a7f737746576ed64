import type { Page } from "playwright-core";
import type { Board } from "../../../src/board/index.ts";
import type { FakeBoardSource } from "./fake-board-source.ts";
import { serveFakeBoard, TOKEN } from "./serve-fake-board.ts";
import { watch } from "./watch-page.ts";

export interface StageOptions {
  /** One for many stages: what the engine has compiled and drawn once is not done anew for each. */
  page: Page;
  pageDirectory: string;
  source: FakeBoardSource;
  allowsControl?: boolean;
  viewport?: { width: number; height: number };
  media?: Pick<NonNullable<Parameters<Page["emulateMedia"]>[0]>, "colorScheme" | "reducedMotion">;
  /** Default: the browser has what the address that `serve` prints gives it. */
  isSignedIn?: boolean;
  /** Default 127.0.0.1, whose ports others may take while the server is stopped. */
  host?: string;
}

const DESKTOP = { width: 1280, height: 800 };

/** How long a machine that is busy may take for what shows at once. */
export const PATIENCE_MS = 45_000;

/** A page in front of the real server over a fake source. */
export interface PageStage extends AsyncDisposable {
  readonly page: Page;
  readonly url: string;
  readonly source: FakeBoardSource;
  /** What must not happen (see `watch`). */
  readonly problems: string[];
  /** `#/…` */
  open(hash: string): Promise<void>;
  stopServer(): Promise<void>;
  /** On the same port, as a restarted `serve`. */
  startServer(): Promise<void>;
}

export async function openPageStage(options: StageOptions): Promise<PageStage> {
  const { page, pageDirectory, source, allowsControl = false, isSignedIn = true, host } = options;
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
    problems,
    open: async (hash) => {
      await page.goto(`${url}${hash}`);
      await page.locator("#main").waitFor();
    },
    stopServer,
    startServer: async () => void (board = await serve(port)),
    [Symbol.asyncDispose]: async () => {
      watching[Symbol.dispose]();
      // Another stage may get this port, and with it what the page has remembered. One that was not opened has nothing.
      await page.evaluate("localStorage.clear()").catch(() => undefined);
      await page.context().clearCookies();
      // Or its last view would go on asking for its server while the next stage listens.
      await page.goto("about:blank");
      await stopServer();
    },
  };
}
