import { expect, test } from "vitest";
import { z } from "zod";
import {
  batchListSchema,
  batchSchema,
  batchTimelineSchema,
  controlResultSchema,
  followUpListSchema,
  healthSchema,
  issueSchema,
  recordingSchema,
  recordingSearchSchema,
  runDocumentSchema,
  runListSchema,
  stateDocumentSchema,
  stateSeriesSchema,
  duplicatesSchema,
  statisticsSchema,
  totalsSchema,
  trustSchema,
} from "../../src/board/index.ts";
import { type BoardStage, boardStage } from "./board-stage.ts";
import { fakeSource, RUN_ID } from "./fake-source.ts";
import { homeStage } from "./home-stage.ts";

const RUN = `/api/runs/${encodeURIComponent(RUN_ID)}`;
const documents: [route: string, path: string, schema: z.ZodType][] = [
  ["/api/health", "/api/health", healthSchema],
  ["/api/batches", "/api/batches?limit=5", batchListSchema],
  ["/api/batches/{runId}", "/api/batches/20260101T000000Z", batchSchema],
  ["/api/batches/{runId}/timeline", "/api/batches/20260101T000000Z/timeline", batchTimelineSchema],
  ["/api/runs", "/api/runs?repo=o/r&limit=10&batch=20260101T000000Z&live=false", runListSchema],
  ["/api/runs/{id}", RUN, runDocumentSchema],
  ["/api/runs/{id}/issue", `${RUN}/issue`, issueSchema],
  ["/api/runs/{id}/state", `${RUN}/state`, stateDocumentSchema],
  ["/api/runs/{id}/states", `${RUN}/states?terminal=verification`, stateSeriesSchema],
  ["/api/runs/{id}/follow-ups", `${RUN}/follow-ups`, followUpListSchema],
  ["/api/runs/{id}/recording/search", `${RUN}/recording/search?q=x`, recordingSearchSchema],
  ["/api/runs/{id}/recording", `${RUN}/recording?terminal=triage-agent`, recordingSchema],
  ["/api/totals", "/api/totals?recent=true", totalsSchema],
  ["/api/statistics", "/api/statistics?days=7", statisticsSchema],
  ["/api/duplicates", "/api/duplicates", duplicatesSchema],
  ["/api/trust", "/api/trust?repo=o/r", trustSchema],
];
const commands: [route: string, body: unknown][] = [
  ["/api/runs/{id}/input", { text: "hello" }],
  ["/api/runs/{id}/answer", { dialog: { kind: "trust", heading: "Trust?", choices: ["Yes"] }, choice: 0 }],
  ["/api/runs/{id}/stop", undefined],
  ["/api/runs/{id}/kill", {}],
  ["/api/runs/{id}/verify", undefined],
  ["/api/runs/{id}/rerun", {}],
];

interface OpenApi {
  openapi: string;
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, { schema: object }> }> }>
  >;
}

async function openApi(stage: BoardStage): Promise<OpenApi> {
  return (await (await stage.get("/api/openapi.json")).json()) as OpenApi;
}

/** Converts the published description of a response back to a schema. */
function described(
  document: OpenApi,
  route: string,
  method: "get" | "post",
  type = "application/json",
): z.ZodType {
  const schema = document.paths[route]?.[method]?.responses["200"]?.content?.[type]?.schema;
  if (schema === undefined) throw new Error(`${method} ${route} is not described`);
  return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
}

test("every path answers with a document that matches its schema and its description in /api/openapi.json (O22)", async () => {
  await using stage = await boardStage(fakeSource(), { allowsControl: true });
  const document = await openApi(stage);
  for (const [route, path, schema] of documents) {
    const answer = await stage.get(path);
    const text = await answer.text();
    expect([route, answer.status, text]).toEqual([route, 200, expect.any(String)]);
    expect([route, schema.safeParse(JSON.parse(text)).error]).toEqual([route, undefined]);
    expect([route, described(document, route, "get").safeParse(JSON.parse(text)).error]).toEqual([
      route,
      undefined,
    ]);
    expect([route, described(document, route, "get").safeParse({ other: 1 }).success]).toEqual([
      route,
      false,
    ]);
  }
  for (const [route, body] of commands) {
    const answer = await stage.post(route.replace("{id}", encodeURIComponent(RUN_ID)), body);
    const value: unknown = await answer.json();
    expect([route, answer.status, controlResultSchema.safeParse(value).error]).toEqual([
      route,
      200,
      undefined,
    ]);
    expect([route, described(document, route, "post").safeParse(value).error]).toEqual([route, undefined]);
  }
});

test("the OpenAPI document names exactly the paths of the board (O22)", async () => {
  await using stage = await boardStage(fakeSource());
  const document = await openApi(stage);
  expect(document.openapi).toMatch(/^3\.1\./);
  const expected = [
    ...documents.map(([route]) => `get ${route}`),
    ...commands.map(([route]) => `post ${route}`),
    "get /api/changes",
    "get /api/runs/{id}/artifacts/{kind}",
    "get /api/runs/{id}/terminal",
    "get /api/sweep",
  ];
  const found = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  expect(found.toSorted()).toEqual(expected.toSorted());
  for (const methods of Object.values(document.paths))
    for (const { responses } of Object.values(methods))
      expect(Object.keys(responses["default"]?.content ?? {})).toEqual(["application/problem+json"]);
});

test("unknown runs are NOT_FOUND, and malformed or excessive requests are REQUEST_INVALID (O22)", async () => {
  await using stage = await boardStage(fakeSource(), { allowsControl: true });
  const other = encodeURIComponent("20260101T000000Z:o~r:8");
  const rows: [path: string, status: number, code: string][] = [
    ["/api/batches/20250101T000000Z", 404, "NOT_FOUND"],
    [`/api/runs/${other}`, 404, "NOT_FOUND"],
    [`/api/runs/${other}/state`, 404, "NOT_FOUND"],
    [`/api/runs/${other}/recording`, 404, "NOT_FOUND"],
    [`/api/runs/${other}/artifacts/comment`, 404, "NOT_FOUND"],
    ["/api/runs/..%2F..%2Fstore.sqlite", 400, "REQUEST_INVALID"],
    ["/api/runs?limit=0", 400, "REQUEST_INVALID"],
    ["/api/runs?limit=1001", 400, "REQUEST_INVALID"],
    ["/api/runs?live=maybe", 400, "REQUEST_INVALID"],
    ["/api/runs?repo=o", 400, "REQUEST_INVALID"],
    ["/api/batches?limit=201", 400, "REQUEST_INVALID"],
    ["/api/batches/..", 404, "NOT_FOUND"],
    ["/api/statistics?days=0", 400, "REQUEST_INVALID"],
    ["/api/statistics?days=1e9", 400, "REQUEST_INVALID"],
    [`${RUN}/states?terminal=other`, 400, "REQUEST_INVALID"],
    ["/api/changes?after=-1", 400, "REQUEST_INVALID"],
  ];
  for (const [path, status, code] of rows) {
    const answer = await stage.get(path);
    expect([path, answer.status, await answer.json()]).toMatchObject([path, status, { error: { code } }]);
  }
});

test("a failure of the source is answered without internals and reported to the operator (O22)", async () => {
  const source = fakeSource();
  const failure = new Error("TypeError at /home/me/secret.ts:1");
  source.runs = () => Promise.reject(failure);
  await using stage = await boardStage(source);
  const answer = await stage.get("/api/runs");
  const text = await answer.text();
  expect([answer.status, text]).toEqual([500, expect.stringContaining("INTERNAL_ERROR")]);
  expect(text).not.toContain("secret");
  expect(stage.failures).toEqual([failure]);
});

test("a run whose files were removed still names its published comment (B7)", async () => {
  await using stage = await homeStage();
  const url = "https://github.test/o/r/issues/7#issuecomment-1";
  const result = {
    category: "bug",
    commentUrl: url,
    usage: { inputTokens: 1, outputTokens: 1, usd: 1 },
  } as const;
  const told = await stage.get(stage.record(7, [{ type: "result-reported", result }]));
  expect(runDocumentSchema.parse(await told.json()).comment).toEqual({ markdown: "", blocks: [], url });
  const silent = await stage.get(stage.record(8, []));
  expect(runDocumentSchema.parse(await silent.json()).comment).toBeNull();
});
