import { writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { failureSchema } from "../../src/board/index.ts";
import { BEARER, type BoardStage, boardStage, readChanges } from "./board-stage.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { fakeSource, RUN_ID } from "./fake-source.ts";

interface RawAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** Sends a request without the decompression and the headers that `fetch` adds. */
function ask(stage: BoardStage, path: string, headers: Record<string, string> = BEARER): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port: stage.board.port, path, headers };
    const sent = request(options, (answer) => {
      const pieces: Buffer[] = [];
      answer.on("data", (piece: Buffer) => void pieces.push(piece));
      answer.on("end", () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(pieces) }),
      );
    });
    sent.on("error", reject).end();
  });
}

test("documents are compressed only for readers that accept compression (B6)", async () => {
  await using stage = await boardStage(fakeSource());
  const path = "/api/openapi.json";
  const plain = await ask(stage, path);
  expect(plain.headers["content-encoding"]).toBeUndefined();
  const encoded = (accepted: string): Promise<RawAnswer> =>
    ask(stage, path, { ...BEARER, "Accept-Encoding": accepted });
  const [brotli, gzip, refused] = await Promise.all([
    encoded("gzip, deflate, br"),
    encoded("br;q=0, gzip"),
    encoded("identity, br;q=0.0"),
  ]);
  expect([brotli.headers["content-encoding"], gzip.headers["content-encoding"]]).toEqual(["br", "gzip"]);
  expect(refused.headers["content-encoding"]).toBeUndefined();
  expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true);
  expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
  expect(brotli.body.length).toBeLessThan(plain.body.length / 3);
  expect(brotli.headers["vary"]).toContain("Accept-Encoding");
});

test("a file of the page is sent as it was compressed when the page was built (B6)", async () => {
  await using directory = await temporaryDirectory();
  const built = { "big.js": "void 1;", "big.js.br": "brotli", "big.js.gz": "gzip", "plain.js": "void 2;" };
  for (const [name, text] of Object.entries(built)) await writeFile(join(directory.path, name), text);
  await using stage = await boardStage(fakeSource(), { pageDirectory: directory.path });
  const rows = [
    ["/big.js", "gzip, br", "br", "brotli"],
    ["/big.js", "gzip", "gzip", "gzip"],
    ["/big.js", "identity", undefined, "void 1;"],
    ["/plain.js", "gzip, br", undefined, "void 2;"],
  ] as const;
  for (const [path, accepted, encoding, body] of rows) {
    const answer = await ask(stage, path, { "Accept-Encoding": accepted });
    expect([path, accepted, answer.headers["content-encoding"], answer.body.toString("utf8")]).toEqual([
      path,
      accepted,
      encoding,
      body,
    ]);
  }
  expect((await ask(stage, "/big.js.br")).status).toBe(404);
});

test("a reader that already has the list gets 304 until the list changes (B6)", async () => {
  const source = fakeSource();
  await using stage = await boardStage(source);
  for (const path of ["/api/runs", "/api/batches", "/api/totals"]) {
    const first = await ask(stage, path);
    const tag = String(first.headers["etag"]);
    const again = await ask(stage, path, { ...BEARER, "If-None-Match": `"other", ${tag}` });
    expect([path, again.status, again.body.length]).toEqual([path, 304, 0]);
    expect(again.headers["etag"]).toBe(tag);
    expect((await ask(stage, path, { ...BEARER, "If-None-Match": '"other"' })).status).toBe(200);
  }
  const before = String((await ask(stage, "/api/runs?live=true")).headers["etag"]);
  source.live = [(await source.runs({} as never)).runs[0] ?? expect.unreachable()];
  expect((await ask(stage, "/api/runs?live=true", { ...BEARER, "If-None-Match": before })).status).toBe(200);
});

test("the page refers to its files by names with a hash of their contents, and a browser may keep these files forever (B6)", async () => {
  await using stage = await boardStage(fakeSource());
  const page = (await ask(stage, "/")).body.toString("utf8");
  const [, name = ""] = /src="(board\.[0-9a-f]{16}\.js)"/.exec(page) ?? [];
  const script = await ask(stage, `/${name}`, {});
  expect([script.status, script.body.toString("utf8")]).toEqual([200, "void 0;\n"]);
  expect(script.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  const plain = await ask(stage, "/board.js", {});
  expect([plain.status, plain.headers["cache-control"]]).toEqual([200, "no-store"]);
  expect((await ask(stage, "/board.0123456789abcdef.js", {})).status).toBe(404);
});

test("every refusal is a problem document with a code and a remedy, and 401 and 503 have their headers (B6)", async () => {
  await using stage = await boardStage(fakeSource(), { limits: { changeReaders: 1 } });
  await using _reader = await readChanges(stage);
  const wrong = { Authorization: "Bearer nonsense" };
  const refused: readonly (readonly [string, Record<string, string>, number, string])[] = [
    ["/api/runs", {}, 401, "TOKEN_MISSING"],
    ["/api/runs", wrong, 401, "TOKEN_WRONG"],
    ["/api/runs?limit=0", BEARER, 400, "REQUEST_INVALID"],
    ["/api/nothing", BEARER, 404, "NOT_FOUND"],
    [`/api/runs/${encodeURIComponent(RUN_ID)}/stop`, BEARER, 405, "METHOD_NOT_ALLOWED"],
    ["/api/changes", BEARER, 503, "TOO_MANY_READERS"],
  ];
  for (const [path, headers, status, code] of refused) {
    const answer = await ask(stage, path, headers);
    const problem = failureSchema.parse(JSON.parse(answer.body.toString("utf8")));
    expect([path, answer.status, problem.status, problem.code, problem.error.code]).toEqual([
      path,
      status,
      status,
      code,
      code,
    ]);
    expect(problem.remedy.length).toBeGreaterThan(0);
    expect(answer.headers["content-type"]).toBe("application/problem+json");
  }
  expect((await ask(stage, "/api/runs", {})).headers["www-authenticate"]).toBe(
    'Bearer realm="afk-triage board"',
  );
  expect((await ask(stage, "/api/runs", wrong)).headers["www-authenticate"]).toContain("invalid_token");
  expect((await ask(stage, "/api/changes")).headers["retry-after"]).toBe("5");
});

test("in the OpenAPI document, every operation has a summary, a unique name and its security requirements (B6)", async () => {
  await using stage = await boardStage(fakeSource());
  const document = JSON.parse((await ask(stage, "/api/openapi.json")).body.toString("utf8")) as {
    paths: Record<string, Record<string, { summary: string; operationId: string; security: object[] }>>;
    components: { securitySchemes: object };
  };
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  expect(operations.filter(({ summary }) => !/^\w.{3,80}$/.test(summary))).toEqual([]);
  const names = operations.map(({ operationId }) => operationId);
  expect([new Set(names).size, names.filter((name) => !/^[a-zA-Z]+$/.test(name))]).toEqual([
    names.length,
    [],
  ]);
  const open = Object.entries(document.paths).filter(([, methods]) =>
    Object.values(methods).some(({ security }) => security.length === 0),
  );
  expect(open.map(([path]) => path)).toEqual(["/api/health"]);
  expect(Object.keys(document.components.securitySchemes)).toEqual(["bearer", "cookie"]);
});
