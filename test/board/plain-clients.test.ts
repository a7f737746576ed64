import { request } from "node:http";
import { expect, test } from "vitest";
import { BEARER, boardStage, rawRequest } from "./board-stage.ts";
import { fakeSource, RUN_ID } from "./fake-source.ts";

test("a plain HTTP client can stop, kill and send, without a body or with a chunked body (B4)", async () => {
  const source = fakeSource();
  await using stage = await boardStage(source, { allowsControl: true, limits: { bodyBytes: 200 } });
  const ask = (how: string, headers: Record<string, string>, pieces: readonly string[]): Promise<number> =>
    new Promise((resolve, reject) => {
      const path = `/api/runs/${encodeURIComponent(RUN_ID)}/${how}`;
      const options = { host: "127.0.0.1", port: stage.board.port, path, method: "POST" };
      const sent = request({ ...options, headers: { ...BEARER, ...headers } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      });
      sent.on("error", reject);
      for (const piece of pieces) sent.write(piece);
      sent.end();
    });
  const json = { "Content-Type": "application/json" };
  const chunked = { ...json, "Transfer-Encoding": "chunked" };
  expect(await ask("stop", {}, [])).toBe(200);
  expect(await ask("kill", { "Content-Length": "0" }, [])).toBe(200);
  expect(await ask("stop", chunked, ["{", "}"])).toBe(200);
  expect(await ask("input", chunked, ['{"text"', ':"go on"}'])).toBe(200);
  expect(await ask("input", json, [])).toBe(400);
  expect(await ask("input", chunked, ['{"text":"', "x".repeat(300), '"}'])).toBe(413);
  expect(source.asked).toEqual(["stop", "kill", "stop", "send go on"]);
  expect(stage.failures).toEqual([]);
});

test("a request for an upgrade other than a WebSocket is answered without the upgrade (B4)", async () => {
  const source = fakeSource();
  await using stage = await boardStage(source, { allowsControl: true });
  const host = `127.0.0.1:${stage.board.port}`;
  // The request headers that `curl --http2` sends.
  const upgrade = {
    connection: "Upgrade, HTTP2-Settings",
    upgrade: "h2c",
    "http2-settings": "AAMAAABkAAQAAP__",
  };
  const ask = (path: string, init: Parameters<typeof rawRequest>[2] = {}): ReturnType<typeof rawRequest> =>
    rawRequest(stage.board, path, { ...init, headers: { host, ...upgrade, ...init.headers } });
  expect(await ask("/")).toMatchObject({ status: 200, text: expect.stringContaining("<!doctype html>") });
  expect(await ask("/api/runs", { headers: BEARER })).toMatchObject({ status: 200, code: null });
  expect(await ask("/api/runs")).toMatchObject({ status: 401, code: "TOKEN_MISSING" });
  expect(await ask("/api/runs", { headers: { ...BEARER, host: "evil.test" } })).toMatchObject({
    status: 403,
  });
  const run = `/api/runs/${encodeURIComponent(RUN_ID)}`;
  expect(await ask(`${run}/terminal`, { headers: BEARER })).toMatchObject({ code: "WEBSOCKET_NEEDED" });
  const text = "x".repeat(60_000);
  const typed = await ask(`${run}/input`, {
    method: "POST",
    headers: { ...BEARER, "content-type": "application/json" },
    body: JSON.stringify({ text }),
  });
  expect([typed.status, source.asked]).toEqual([200, [`send ${text}`]]);
  expect(stage.failures).toEqual([]);
});

test("a browser that opens an address that the board refuses gets a page, in which nothing of the address is markup (B8)", async () => {
  await using stage = await boardStage(fakeSource());
  const accept = "text/html,application/xhtml+xml,*/*;q=0.8";
  const { host } = new URL(stage.board.url);
  for (const [path, headers, status, text] of [
    ["/nowhere", { host }, 404, "there is no /nowhere on this board"],
    ["/api/sweep", { host }, 401, "Open the URL that `afk-triage serve` printed"],
    ["/", { host: "localhost:1" }, 403, `Use ${stage.board.url}`],
    ["/api/<b>x", { ...BEARER, host }, 404, "&lt;b>x"],
  ] as const) {
    const page = await rawRequest(stage.board, path, { headers: { ...headers, accept } });
    expect([path, page.status, page.headers["content-type"]]).toEqual([
      path,
      status,
      "text/html; charset=utf-8",
    ]);
    expect(page.text).toContain(text);
    expect(page.text).not.toContain("<b>");
    expect(page.headers["content-security-policy"]).toContain("default-src 'none'");
  }
});
