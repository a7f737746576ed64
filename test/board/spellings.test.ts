import { expect, test } from "vitest";
import { authorityOf, checkAccess, signIn } from "../../src/board/server/access.ts";
import { boardStage, firstLine, TOKEN } from "./board-stage.ts";
import { fakeSource, RUN_ID } from "./fake-source.ts";

const RUN = `/api/runs/${encodeURIComponent(RUN_ID)}`;

test("an unusual spelling of an address never bypasses the token or reaches another host or file (S17)", async () => {
  const source = fakeSource();
  await using stage = await boardStage(source, { allowsControl: true });
  const { port } = stage.board;
  const targets = [
    "/x/../api/runs",
    "/./api/runs",
    "/%2e/api/runs",
    "/api%2Fruns",
    "/%61pi/runs",
    "/API/runs",
    "//api/runs",
    "/api//runs",
    "/api/runs/../../x",
    "/api/health/../runs",
    "/api/health/%2e%2e/runs",
    "/api/health%2f..%2fruns",
    "\\api\\runs",
    "/api\\runs",
    "/api/runs;/../board.js",
    "/api/runs?/api/health",
    "/api/runs#/api/health",
    `http://127.0.0.1:${port}/api/runs`,
    `http://127.0.0.1:${port}@evil.test/api/runs`,
    `${RUN}/artifacts/..%2f..%2fstore.sqlite`,
    "/../secret.txt",
    "/secret.txt",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/..%2f..%2fetc/passwd",
    "/board.js%00.png",
    "/./secret.txt",
  ];
  const heads = targets.map((target) => `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}`);
  heads.push(
    `GET /api/runs HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nHost: evil.test`,
    `GET /api/health HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Original-URL: /api/runs\r\nHost: 127.0.0.1:${port}`,
    `GET //x${RUN}/terminal HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: http://127.0.0.1:${port}\r\n` +
      "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
  );
  for (const target of ["//", "//:x/", "http://[/"])
    heads.push(
      `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket`,
    );
  for (const act of ["kill", "stop", "input"])
    for (const api of ["/%61pi", "/x/..%2fapi", "/x/../api"])
      heads.push(
        `POST ${api}${RUN.slice("/api".length)}/${act} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: http://evil.test\r\nContent-Length: 0`,
      );
  const refusal = expect.stringMatching(/^HTTP\/1\.1 40[0134] /) as string;
  for (const head of heads) expect([head, await firstLine(port, head)]).toEqual([head, refusal]);
  expect([source.asked, stage.failures]).toEqual([[], []]);
});

test("a board on port 80 takes requests whose Host and Origin leave the port out, as browsers do (S17)", () => {
  for (const host of ["127.0.0.1", "[::1]"]) {
    const rules = { authority: authorityOf(host, 80), token: TOKEN, allowsControl: true };
    const [cookie = ""] = (signIn(TOKEN, rules) ?? "").split(";");
    expect(cookie).toMatch(/^afk_triage_board_80=/);
    const request = {
      method: "POST",
      path: "/api/runs/x/stop",
      host,
      origin: `http://${host}`,
      fetchSite: "same-origin",
      authorization: null,
      cookie,
      isUpgrade: false,
    };
    expect(() => checkAccess(request, rules)).not.toThrow();
    for (const other of [`${host}:81`, "evil.test"])
      expect(() => checkAccess({ ...request, host: other }, rules)).toThrow("the request is for host");
  }
  expect(authorityOf("127.0.0.1", 7878)).toBe("127.0.0.1:7878");
});
