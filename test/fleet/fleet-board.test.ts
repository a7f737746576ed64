import { join } from "node:path";
import { systemClock, systemIds } from "agent-tty/kit";
import { expect, test } from "vitest";
import {
  type FleetBudget,
  followedRepositories,
  openInProcessQueue,
  openSpendLedger,
  openSqliteSql,
  parseBoardTokens,
  readFleetStatus,
  serveFleetBoard,
} from "../../src/fleet/index.ts";
import { wanted } from "../support/fleet/queue-contract.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const [ALL, OCTO, ONE] = ["all-".repeat(8), "octo-".repeat(8), "one-".repeat(8)];
const TOKENS = `# who sees what\n${ALL} *\n${OCTO} octo\n\n${ONE} Acme/Secret\n`;
const caps = { perRepository: 3, perOwner: null };
const budget: FleetBudget = {
  repository: { usd: 2, tokens: null },
  owner: { usd: 5, tokens: null },
  fleet: { usd: 9, tokens: null },
};

/** A board over a fleet of `octo/a`, `octo/b` and `acme/secret`, each with one waiting visit; the last two have spend. */
async function boardStage() {
  const directory = await temporaryDirectory();
  const sql = await openSqliteSql(join(directory.path, "fleet.sqlite"), systemClock);
  const ids = systemIds(systemClock);
  const queue = await openInProcessQueue(sql, { clock: systemClock, caps, onFailure: () => undefined });
  const repositories = followedRepositories(sql);
  const spend = openSpendLedger(sql, budget, { clock: systemClock, ids });
  const names = ["octo/a", "octo/b", "acme/secret"] as const;
  for (const [index, name] of names.entries()) {
    const change = { type: "follow", repositoryId: index + 1, name, installationId: null, atMs: 1 } as const;
    await repositories.apply(change);
    await queue.enqueue(wanted(index + 1, 1));
    if (index === 0) continue;
    const repository = { id: index + 1, name, installationId: null };
    const atMost = { usd: 1, tokens: 0 };
    const admission = await spend.admit({ repository, number: 2, atMost, hasCheckpoint: false });
    if (admission.type === "admitted") await admission.settle({ state: "applied", usd: index, tokens: 100 });
  }
  const failures: string[] = [];
  const onFailure = (message: string): void => void failures.push(message);
  const status = () => readFleetStatus({ queue, repositories, spend, caps, budget, clock: systemClock });
  const served = await serveFleetBoard(
    { status, tokens: parseBoardTokens(TOKENS), ids, onFailure },
    { host: "127.0.0.1", port: 0 },
  );
  const get = async (path: string, headers: Record<string, string> = {}, method = "GET") => {
    const response = await fetch(`http://127.0.0.1:${served.port}${path}`, {
      headers,
      method,
      redirect: "manual",
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const seen = async (token: string) => {
    const { status, text } = await get("/api/fleet", { authorization: `Bearer ${token}` });
    expect(status).toBe(200);
    return JSON.parse(text) as Awaited<ReturnType<typeof readFleetStatus>> & { spend: { usd: number } };
  };
  return {
    get,
    seen,
    failures,
    sql,
    [Symbol.asyncDispose]: async () => {
      await served[Symbol.asyncDispose]();
      await sql[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}

test("the board over the fleet shows repositories, queue age, caps and spend to a token that covers everything (F8)", async () => {
  await using board = await boardStage();
  const all = await board.seen(ALL);
  expect(all).toMatchObject({ waiting: 3, running: 0, workers: 0, caps, budget, spend: { usd: 3 } });
  expect(all.oldestMs).toBeGreaterThanOrEqual(0);
  expect(all.repositories).toMatchObject([
    { repository: "acme/secret", waiting: 1, usd: 2, tokens: 100, runs: 1 },
    { repository: "octo/a", waiting: 1, usd: 0, runs: 0 },
    { repository: "octo/b", waiting: 1, usd: 1, tokens: 100, runs: 1 },
  ]);
  const { status, text, headers } = await board.get("/", { authorization: `Bearer ${ALL}` });
  expect(status).toBe(200);
  for (const shown of ["acme/secret", "octo/a", "$2.00", "0 of 3", "of $9.00"]) expect(text).toContain(shown);
  expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'nonce-/);
});

test("a token of an owner or of one repository sees neither the rows of others nor sums from which they could be derived (F8)", async () => {
  await using board = await boardStage();
  const octo = await board.seen(OCTO);
  expect(octo.repositories.map(({ repository }) => repository)).toEqual(["octo/a", "octo/b"]);
  expect(octo).toMatchObject({ waiting: 2, spend: { usd: 1 }, budget: { fleet: null, owner: budget.owner } });
  const one = await board.seen(ONE);
  expect(one.repositories.map(({ repository }) => repository)).toEqual(["acme/secret"]);
  expect(one).toMatchObject({ waiting: 1, spend: { usd: 2 }, budget: { fleet: null, owner: null } });
  const page = await board.get("/", { authorization: `Bearer ${OCTO}` });
  expect(page.text).toContain("octo/a");
  expect(page.text).not.toContain("acme");
});

test("a transferred repository is shown only to tokens of its new owner (F8)", async () => {
  await using board = await boardStage();
  const name = "octo/secret";
  await followedRepositories(board.sql).apply({ type: "rename", repositoryId: 3, name, atMs: 2 });
  expect((await board.seen(OCTO)).repositories.map(({ repository }) => repository)).toContain(name);
  expect((await board.seen(ONE)).repositories).toEqual([]);
});

test("the board over the fleet refuses requests without one of its tokens, and requests with a method that writes (F8)", async () => {
  await using board = await boardStage();
  expect((await board.get("/api/fleet")).status).toBe(401);
  const wrong = { authorization: `Bearer ${"wrong".repeat(8)}` };
  expect((await board.get("/api/fleet", wrong)).status).toBe(401);
  expect((await board.get("/?token=wrong")).status).toBe(401);
  expect((await board.get("/api/fleet", { cookie: `afk_triage_fleet_board=${ALL}` })).status).toBe(401);
  const page = await board.get("/");
  expect({ status: page.status, hasRows: page.text.includes("octo") }).toEqual({
    status: 401,
    hasRows: false,
  });
  const posted = await board.get("/", { authorization: `Bearer ${ALL}` }, "POST");
  expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  expect((await board.get("/api/runs", { authorization: `Bearer ${ALL}` })).status).toBe(404);
});

test("a browser signs in with the token in the URL, gets a cookie that is not the token, and sees what the token covers (F8)", async () => {
  await using board = await boardStage();
  const signedIn = await board.get(`/?token=${OCTO}`, { "x-forwarded-proto": "https" });
  expect({ status: signedIn.status, to: signedIn.headers.get("location") }).toEqual({ status: 303, to: "/" });
  const set = signedIn.headers.get("set-cookie") ?? "";
  expect(set).toMatch(/HttpOnly; SameSite=Strict; Max-Age=\d+; Secure$/);
  expect(set).not.toContain(OCTO);
  const page = await board.get("/", { cookie: set.split(";")[0] ?? "" });
  expect(page.status).toBe(200);
  expect(page.text).toContain("octo/b");
  expect(page.text).not.toContain("acme");
});

test("the board over the fleet answers 503 while the database is down, and logs the failure for its operator (F8)", async () => {
  await using board = await boardStage();
  await board.sql.rows((await import("zod")).z.unknown(), "drop table fleet_visit");
  const { status, text } = await board.get("/api/fleet", { authorization: `Bearer ${ALL}` });
  expect(status).toBe(503);
  expect(text).not.toContain("fleet_visit");
  expect(board.failures).toHaveLength(1);
});

test("the board over the fleet answers 404 to a path that is not a valid URL, and logs no failure (F8)", async () => {
  await using board = await boardStage();
  for (const path of ["//", "///x", "//[", "//a:b"]) expect((await board.get(path)).status).toBe(404);
  expect(board.failures).toEqual([]);
});

test("the fleet's page shows a name from GitHub as text, whatever its characters (F8)", async () => {
  await using board = await boardStage();
  const name = "octo/<b>bold</b>" as const;
  await followedRepositories(board.sql).apply({ type: "rename", repositoryId: 1, name, atMs: 2 });
  const { text } = await board.get("/", { authorization: `Bearer ${ALL}` });
  expect(text).toContain("octo/&lt;b&gt;bold&lt;/b&gt;");
});

test.each([
  ["no token", "# nobody\n", "there is no token"],
  ["a short token", "short *", "line 1: a token has at least 24 printable characters"],
  ["a token without scopes", ALL, "line 1: the token has no scopes: name what it may see"],
  ["a scope that is none", `${ALL} a/b/c`, 'line 1: "a/b/c" is neither *, an owner nor owner/name'],
  ["a token twice", `${ALL} *\n${ALL} octo`, "one token is on two lines"],
])("tokens of the fleet's board with %s are refused, and no message shows a token (F8)", (_, text, seen) => {
  const read = () => parseBoardTokens(text);
  expect(read).toThrow(expect.objectContaining({ code: "FLEET_BOARD_TOKENS_WRONG" }) as Error);
  expect(read).toThrow(seen);
  expect(read).not.toThrow(ALL);
});

test("no token of the board over the fleet opens a run, an artifact or a stream, whatever its scope (F8)", async () => {
  await using board = await boardStage();
  const run = "/api/runs/20260101T000000Z.octo.a.1";
  for (const token of [ALL, OCTO, ONE])
    for (const path of ["/api/runs", run, `${run}/artifacts/recording`, "/api/changes", "/api/totals"])
      expect((await board.get(path, { authorization: `Bearer ${token}` })).status).toBe(404);
});
