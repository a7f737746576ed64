import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import {
  demoBoard,
  hasBrowser,
  pageTests,
  PATIENCE_MS,
  rowOf,
  TOKEN,
  withoutBrowser,
} from "../support/board/index.ts";
import { propertyRuns } from "../support/property-runs.ts";

/**
 * The number of tabs. Forty pages at once would leave no processor time for other tests, so only `npm run test:laws` opens them.
 */
const TABS = propertyRuns(12, 40);

describe.skipIf(!hasBrowser)(`the board in many tabs${withoutBrowser}`, { timeout: 180_000 }, () => {
  const stageOf = pageTests();
  const patience = { timeout: PATIENCE_MS };

  test("many tabs of a browser share one event stream, and another tab takes it over when its tab is closed (B3)", async () => {
    await using stage = await stageOf({ source: await demoBoard() });
    using streams = countStreams(stage.url);
    const { source } = stage;
    const browser = stage.page.context().browser() ?? expect.unreachable("the stage has a browser");
    // Animations are off in these tabs, because they would use the whole machine.
    await using context = await browser.newContext({
      reducedMotion: "reduce",
      viewport: { width: 800, height: 400 },
    });
    context.setDefaultTimeout(PATIENCE_MS);
    await context.request.get(`${stage.url}?token=${TOKEN}`, { maxRedirects: 0 });
    const showing = (tabs: readonly Page[], text: string): Promise<unknown> =>
      Promise.all(tabs.map((tab) => rowOf(tab, 153).getByText(text).waitFor()));
    const leader = await context.newPage();
    await leader.goto(`${stage.url}#/?q=153`);
    await showing([leader], "working");
    const opener = await context.newPage();
    await opener.goto(`${stage.url}#/?q=153`);
    // Tabs that a page opens share its process, which makes so many of them affordable.
    await opener.evaluate(`for (let tab = 2; tab < ${TABS}; tab += 1) void window.open(location.href)`);
    await expect.poll(() => context.pages().length, patience).toBe(TABS);
    const others = context.pages().filter((tab) => tab !== leader);
    await showing(others, "working");
    expect({ ...streams }).toMatchObject({ begun: 1, open: 1 });
    const changedTo = async (
      outcome: "ready-for-human" | "needs-info",
      tabs: readonly Page[],
    ): Promise<void> => {
      source.change("20261121T053000Z:acme~widgets:153", {
        displayStatus: "terminated",
        phase: "settled",
        settledAtMs: 1_780_000_000_000,
        end: { status: "applied", reason: "reproduction-verified", outcome, error: null },
      });
      await showing(tabs, outcome.replaceAll("-", " "));
    };
    await changedTo("ready-for-human", [leader, ...others]);
    expect({ ...streams }).toMatchObject({ begun: 1, open: 1 });
    await leader.close();
    await expect.poll(() => ({ ...streams }), patience).toMatchObject({ begun: 2, open: 1 });
    await changedTo("needs-info", others);
    expect({ ...streams }).toMatchObject({ begun: 2, open: 1 });
  });
});

interface Streams extends Disposable {
  /** The number of change streams that the server has begun, and of those that are still open. */
  begun: number;
  open: number;
}

/** Counts the change streams of this process's server with that address, until disposed. */
function countStreams(url: string): Streams {
  const onRequest = (message: unknown): void => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    if (request.headers.host !== new URL(url).host || request.url?.startsWith("/api/changes") !== true)
      return;
    streams.begun += 1;
    streams.open += 1;
    response.once("close", () => (streams.open -= 1));
  };
  const streams: Streams = {
    begun: 0,
    open: 0,
    [Symbol.dispose]: () => void unsubscribe("http.server.request.start", onRequest),
  };
  subscribe("http.server.request.start", onRequest);
  return streams;
}
