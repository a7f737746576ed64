import { describe, expect, test } from "vitest";
import { systemClock, systemIds } from "agent-tty/kit";
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { boardToken } from "../../src/board/index.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { BEARER, boardStage, firstLine, rawRequest, TOKEN, upgradeStatus } from "./board-stage.ts";
import { fakeSource, RUN_ID } from "./fake-source.ts";

const ids = systemIds(systemClock);
const RUN = `/api/runs/${encodeURIComponent(RUN_ID)}`;
const READS = [
  "/api",
  "/api/openapi.json",
  "/api/batches",
  "/api/batches/20260101T000000Z",
  "/api/runs",
  RUN,
  `${RUN}/state`,
  `${RUN}/states`,
  `${RUN}/recording`,
  `${RUN}/artifacts/comment`,
  "/api/changes",
  "/api/statistics",
  "/api/duplicates",
  "/api/trust",
];

test("requests without the token get only the page's files and the health document (S17)", async () => {
  await using stage = await boardStage(fakeSource());
  const wrong: Record<string, string>[] = [
    {},
    { Authorization: "Bearer " },
    { Authorization: `Bearer ${TOKEN.slice(1)}` },
    { Authorization: `Bearer ${TOKEN}5` },
    { Authorization: `Basic ${TOKEN}` },
    { Cookie: `afk_triage_board_${stage.board.port}=${TOKEN}` },
    { Cookie: `afk_triage_board_1=${TOKEN}; other=1` },
  ];
  const host = `127.0.0.1:${stage.board.port}`;
  for (const path of READS)
    for (const headers of wrong) {
      const { status, code } = await rawRequest(stage.board, path, { headers: { host, ...headers } });
      expect([path, headers, status, code]).toEqual([path, headers, 401, expect.stringMatching(/^TOKEN_/)]);
    }
  for (const path of ["/", "/board.js", "/api/health"])
    expect([path, (await rawRequest(stage.board, path, { headers: { host } })).status]).toEqual([path, 200]);
  expect((await stage.get("/api/runs?token=" + TOKEN, { Authorization: "" })).status).toBe(401);
  const code = async (headers: object): Promise<unknown> =>
    (await rawRequest(stage.board, "/api/runs", { headers: { host, ...headers } })).code;
  expect(await code({})).toBe("TOKEN_MISSING");
  expect(await code({ Authorization: `Bearer ${TOKEN}5` })).toBe("TOKEN_WRONG");
  expect(await code({ Cookie: `afk_triage_board_${stage.board.port}=x` })).toBe("TOKEN_WRONG");
});

test("opening the printed URL sets a cookie that no script can read and removes the token from the address (S17)", async () => {
  await using stage = await boardStage(fakeSource());
  const host = `127.0.0.1:${stage.board.port}`;
  const opened = await rawRequest(stage.board, `/?token=${TOKEN}`, { headers: { host } });
  expect([opened.status, opened.headers["location"], opened.text]).toEqual([303, "/", ""]);
  const [cookie = ""] = opened.headers["set-cookie"] as string[];
  expect(cookie).toMatch(/; HttpOnly; SameSite=Strict/);
  expect(cookie).not.toContain(TOKEN);
  const [pair = ""] = cookie.split(";");
  const { status } = await rawRequest(stage.board, "/api/runs", {
    headers: { host, cookie: `a=b; ${pair}` },
  });
  expect(status).toBe(200);
  const wrong = await rawRequest(stage.board, `/?token=${"6".repeat(64)}`, { headers: { host } });
  expect([wrong.status, wrong.code, wrong.headers["set-cookie"]]).toEqual([401, "TOKEN_WRONG", undefined]);
});

test("the board answers only requests whose Host is the bound address, even if other names resolve to it (S17)", async () => {
  await using stage = await boardStage(fakeSource());
  const { port } = stage.board;
  const foreign = [
    "evil.test",
    `evil.test:${port}`,
    `localhost:${port}`,
    "127.0.0.1",
    `127.0.0.1:${port + 1}`,
    `127.0.0.2:${port}`,
    `127.0.0.1:${port}.evil.test`,
    `[::1]:${port}`,
  ];
  for (const host of foreign)
    for (const path of ["/", "/board.js", "/api/health", "/api/runs", `/?token=${TOKEN}`]) {
      const { status, code, headers } = await rawRequest(stage.board, path, { headers: { ...BEARER, host } });
      // An unreadable Host is refused before it is compared.
      const expected = { 400: "REQUEST_INVALID", 403: "HOST_REFUSED" }[status];
      expect([host, path, status, code]).toEqual([host, path, status, expected ?? "a refusal"]);
      expect(headers["set-cookie"]).toBeUndefined();
    }
  for (const head of [
    "GET / HTTP/1.0",
    "GET / HTTP/1.1\r\nHost: ",
    `GET http://evil.test/ HTTP/1.1\r\nHost: evil.test`,
  ])
    expect([head, await firstLine(port, head)]).toEqual([head, expect.stringMatching(/^HTTP\/1\.1 40[03] /)]);
});

describe("requests that act or stay open must come from the board's own page or from a program with the token (S17)", () => {
  const cases: [what: string, headers: Record<string, string>, isBearer: boolean, isLetIn: boolean][] = [
    ["a foreign page", { origin: "http://evil.test" }, false, false],
    ["a page of another port", { origin: "http://127.0.0.1:1" }, false, false],
    ["a page over https", { origin: "https://127.0.0.1" }, false, false],
    ["an opaque page", { origin: "null" }, false, false],
    ["a cross-site request without an origin", { "sec-fetch-site": "cross-site" }, false, false],
    ["a same-site request of another port", { "sec-fetch-site": "same-site" }, false, false],
    ["a foreign page that holds the token", { origin: "http://evil.test" }, true, false],
    ["its own page", { origin: "own" }, false, true],
    ["a program", {}, true, true],
    ["a cookie without an origin", {}, false, false],
  ];
  test.each(cases)("%s", async (_, given, isBearer, isLetIn) => {
    await using stage = await boardStage(fakeSource(), { allowsControl: true });
    const own = `127.0.0.1:${stage.board.port}`;
    const opened = await rawRequest(stage.board, `/?token=${TOKEN}`, { headers: { host: own } });
    const [cookie = ""] = String((opened.headers["set-cookie"] as string[])[0]).split(";");
    const origin = given["origin"] === "own" ? { origin: `http://${own}` } : {};
    const headers = { ...given, ...origin, host: own, ...(isBearer ? BEARER : { cookie }) };
    const json = { ...headers, "content-type": "application/json" };
    const post = await rawRequest(stage.board, `${RUN}/stop`, { method: "POST", headers: json });
    expect([post.status, post.code]).toEqual(isLetIn ? [200, null] : [403, "ORIGIN_REFUSED"]);
    const socket = await upgradeStatus(stage.board, `${RUN}/terminal`, headers);
    expect(socket).toBe(isLetIn ? "open" : 403);
    const isForeign = "origin" in given || "sec-fetch-site" in given;
    const read = await rawRequest(stage.board, "/api/runs", { headers });
    expect(read.status).toBe(!isLetIn && isForeign ? 403 : 200);
  });
});

test("a read-only board refuses every command and contacts no run owner (S17)", async () => {
  const source = fakeSource();
  await using stage = await boardStage(source);
  for (const command of ["input", "stop", "kill"]) {
    const answer = await stage.post(`${RUN}/${command}`, { text: "hello" });
    expect([answer.status, await answer.json()]).toMatchObject([
      403,
      {
        error: { code: "CONTROL_NOT_ALLOWED", remedy: expect.stringContaining("--allow-control") as string },
      },
    ]);
  }
  expect(source.asked).toEqual([]);
});

test("the board answers only reads and the three commands, and refuses every other request (S17)", async () => {
  await using stage = await boardStage(fakeSource(), { allowsControl: true });
  const host = `127.0.0.1:${stage.board.port}`;
  for (const method of ["PUT", "PATCH", "DELETE", "OPTIONS"])
    for (const path of ["/api/runs", RUN, `${RUN}/stop`]) {
      const answer = await rawRequest(stage.board, path, { method, headers: { host, ...BEARER } });
      const allow = path.endsWith("/stop") ? "POST" : "GET, HEAD";
      expect([method, path, answer]).toMatchObject([method, path, { status: 405, headers: { allow } }]);
      expect(answer.code).toBe("METHOD_NOT_ALLOWED");
    }
  const wrongMethods = [
    ["POST", "/api/runs"],
    ["GET", `${RUN}/stop`],
  ] as const;
  for (const [method, path] of wrongMethods)
    expect((await rawRequest(stage.board, path, { method, headers: { host, ...BEARER } })).status).toBe(405);
  const missing = [
    "/api",
    "/api/",
    "/api/nothing",
    "/nothing",
    "/secret.txt",
    "/..%2f..%2fetc%2fpasswd",
    "/api/runs/x",
  ];
  for (const path of missing) {
    const { status, code } = await rawRequest(stage.board, path, { headers: { host, ...BEARER } });
    expect([path, status >= 400 && status < 500, code !== null]).toEqual([path, true, true]);
  }
  expect(stage.failures).toEqual([]);
});

test("request bodies must be JSON that matches the schema, and within the size limit (S17)", async () => {
  const source = fakeSource();
  await using stage = await boardStage(source, { allowsControl: true });
  const rows: [body: unknown, headers: Record<string, string>, status: number, code: string][] = [
    [{ text: "" }, {}, 400, "REQUEST_INVALID"],
    [{}, {}, 400, "REQUEST_INVALID"],
    [{ text: "x", enter: false }, {}, 400, "REQUEST_INVALID"],
    [{ text: "x".repeat(64 * 1024 + 1) }, {}, 400, "REQUEST_INVALID"],
    [{ text: "x" }, { "Content-Type": "text/plain" }, 415, "BODY_NOT_JSON"],
    [{ text: "x" }, { "Content-Type": "application/x-www-form-urlencoded" }, 415, "BODY_NOT_JSON"],
    [{ text: "x".repeat(600 * 1024) }, {}, 413, "BODY_TOO_LARGE"],
  ];
  for (const [body, headers, status, code] of rows) {
    const answer = await stage.post(`${RUN}/input`, body, headers);
    expect([answer.status, await answer.json()]).toMatchObject([status, { error: { code } }]);
  }
  expect(source.asked).toEqual([]);
  const host = `127.0.0.1:${stage.board.port}`;
  const headers = { host, ...BEARER, "content-type": "application/json" };
  const broken = await rawRequest(stage.board, `${RUN}/input`, { method: "POST", headers, body: "{" });
  expect([broken.status, broken.code]).toEqual([400, "REQUEST_INVALID"]);
  expect(stage.failures).toEqual([]);
});

test("the page may run only its own script, and every answer has the security headers (S17)", async () => {
  await using stage = await boardStage(fakeSource());
  const page = await stage.get("/");
  const policy = page.headers.get("Content-Security-Policy") ?? "";
  const nonce = /'nonce-([0-9a-f]{32})'/.exec(policy)?.[1] ?? "none";
  expect(policy.split("; ").toSorted()).toEqual(
    [
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
      "img-src 'self' data: blob:",
      "connect-src 'self'",
      "font-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].toSorted(),
  );
  expect(await page.text()).toContain(`<meta name="csp-nonce" content="${nonce}" />`);
  expect((await stage.get("/")).headers.get("Content-Security-Policy")).not.toContain(nonce);
  for (const path of [
    "/",
    "/board.js",
    "/api/health",
    "/api/runs",
    "/api/nothing",
    `${RUN}/artifacts/comment`,
  ]) {
    const { headers } = await stage.get(path);
    expect([path, headers.get("X-Content-Type-Options"), headers.get("Referrer-Policy")]).toEqual([
      path,
      "nosniff",
      "no-referrer",
    ]);
    expect([path, headers.get("Cross-Origin-Resource-Policy")]).toEqual([path, "same-origin"]);
    expect([path, headers.get("Cache-Control"), headers.get("Access-Control-Allow-Origin")]).toEqual([
      path,
      "no-store",
      null,
    ]);
    expect(headers.get("Content-Security-Policy")).toMatch(/default-src 'none'/);
  }
});

test("an artifact is served as a download that no browser executes, and its name cannot break a header (S17)", async () => {
  const source = fakeSource();
  await using stage = await boardStage(source);
  const answer = await stage.get(`${RUN}/artifacts/comment`);
  expect([answer.status, await answer.text()]).toEqual([200, "hello"]);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-disposition": 'attachment; filename="com_ment__.md"',
    "content-type": "text/plain; charset=utf-8",
    "content-security-policy": expect.stringContaining("sandbox") as string,
    "content-length": "5",
  });
  expect(source.asked).toEqual(["closed"]);
  for (const kind of ["patch", "..%2f..%2fstore.sqlite", "%00", "outcome.json"])
    expect([kind, (await stage.get(`${RUN}/artifacts/${kind}`)).ok]).toEqual([kind, false]);
});

test("the board binds only loopback addresses (S17)", async () => {
  for (const host of ["0.0.0.0", "::", "192.168.1.1", "localhost", "board.test", "127.0.0.1.evil.test", ""]) {
    await expect(boardStage(fakeSource(), { host })).rejects.toMatchObject({ code: "BOARD_ADDRESS_REFUSED" });
  }
  await using stage = await boardStage(fakeSource());
  await expect(boardStage(fakeSource(), { port: stage.board.port })).rejects.toMatchObject({
    code: "BOARD_PORT_TAKEN",
    remedy: expect.stringContaining("--port") as string,
  });
});

test("the token is created once, is private to the user, and is replaced on request (S17)", async () => {
  await using directory = await temporaryDirectory();
  const home = join(directory.path, "home");
  const path = join(home, "board-token");
  const token = await boardToken(path, { ids, isNew: false });
  expect(token).toMatch(/^[0-9a-f]{64}$/);
  expect([(await stat(path)).mode & 0o777, (await stat(home)).mode & 0o777]).toEqual([0o600, 0o700]);
  expect(await boardToken(path, { ids, isNew: false })).toBe(token);
  const other = await boardToken(path, { ids, isNew: true });
  expect(other).not.toBe(token);
  expect([await boardToken(path, { ids, isNew: false }), await readdir(home)]).toEqual([
    other,
    ["board-token"],
  ]);
  await writeFile(path, "cut off");
  expect(await boardToken(path, { ids, isNew: false })).toMatch(/^[0-9a-f]{64}$/);
});

test("a token file that others can read, or that is a link, is refused, and a link's target is never written (S17)", async () => {
  await using directory = await temporaryDirectory();
  const home = join(directory.path, "home");
  const path = join(home, "board-token");
  const refused = { code: "BOARD_TOKEN_UNSAFE" };
  await mkdir(home, { mode: 0o755 });
  await chmod(home, 0o755);
  await expect(boardToken(path, { ids, isNew: false })).rejects.toMatchObject(refused);
  await chmod(home, 0o700);
  await writeFile(path, TOKEN, { mode: 0o644 });
  await chmod(path, 0o644);
  await expect(boardToken(path, { ids, isNew: false })).rejects.toMatchObject(refused);
  const target = join(directory.path, "target");
  await writeFile(target, TOKEN, { mode: 0o600 });
  const linked = join(directory.path, "linked");
  await mkdir(linked, { mode: 0o700 });
  await symlink(target, join(linked, "board-token"));
  await expect(boardToken(join(linked, "board-token"), { ids, isNew: false })).rejects.toMatchObject(refused);
  await boardToken(join(linked, "board-token"), { ids, isNew: true });
  expect(await readFile(target, "utf8")).toBe(TOKEN);
});
