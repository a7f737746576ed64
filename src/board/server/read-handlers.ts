import type { OpenAPIHono } from "@hono/zod-openapi";
import pLimit from "p-limit";
import type { AppPorts } from "./app-ports.ts";
import { cookieName } from "./access.ts";
import { Refusal } from "./board-error.ts";
import { boardRoutes } from "./board-routes.ts";
import { changeStream } from "./change-stream.ts";
import { keyOf, orNotFound } from "./request-refusals.ts";
import { ARTIFACT_POLICY, SECURITY_HEADERS } from "./security-headers.ts";

export function addReads(app: OpenAPIHono, { source, rules, limits, version }: AppPorts): void {
  const heavy = pLimit(limits.heavyReads);
  // Searches have their own limit, so that they never delay the reading of a recording.
  const searches = pLimit(1);
  const {
    health,
    batches,
    batch,
    runs,
    totals,
    run,
    issue,
    followUps,
    state,
    states,
    recording,
    recordingSearch,
    timeline,
    statistics,
    duplicates,
    trust,
    artifact,
  } = boardRoutes;
  app.openapi(health, (context) =>
    context.json(
      {
        schema: "afk-triage/board-health@1" as const,
        status: "ok" as const,
        version,
        allowsControl: rules.allowsControl,
      },
      200,
    ),
  );
  const described = once(() => openApiDocument(app, { rules, version }));
  app.get("/api/openapi.json", (context) => context.json(described()));
  app.openapi(batches, async (context) => {
    const seq = await source.lastChange();
    const { limit, after = null } = context.req.valid("query");
    const found = await source.batches({ limit, after });
    return context.json({ schema: "afk-triage/board-batches@1" as const, seq, ...found }, 200);
  });
  app.openapi(batch, async (context) => {
    const found = await source.batch(context.req.valid("param").runId);
    return context.json(orNotFound(found, context), 200);
  });
  app.openapi(runs, async (context) => {
    const query = context.req.valid("query");
    // The sequence is read before the rows: a change in between is then published twice instead of missed.
    const seq = await source.lastChange();
    const found = await source.runs({
      batch: query.batch ?? null,
      repo: query.repo ?? null,
      status: query.status ?? null,
      result: query.result ?? null,
      isLiveOnly: query.live === "true",
      isRecentOnly: query.recent === "true",
      text: query.q,
      sort: query.sort,
      isDescending: query.order === "descending",
      limit: query.limit,
      after: query.after ?? null,
    });
    return context.json({ schema: "afk-triage/board-runs@1" as const, seq, ...found }, 200);
  });
  app.openapi(totals, async (context) => {
    const { batch: ofBatch = null, recent } = context.req.valid("query");
    return context.json(await source.totals({ batch: ofBatch, isRecentOnly: recent === "true" }), 200);
  });
  app.openapi(run, async (context) =>
    context.json(orNotFound(await source.run(keyOf(context.req.valid("param"))), context), 200),
  );
  app.openapi(issue, async (context) => {
    const key = keyOf(context.req.valid("param"));
    return context.json(orNotFound(await heavy(() => source.issue(key)), context), 200);
  });
  app.openapi(followUps, async (context) => {
    const key = keyOf(context.req.valid("param"));
    const found = orNotFound(await source.followUps(key), context);
    return context.json({ schema: "afk-triage/board-follow-ups@1" as const, followUps: found }, 200);
  });
  app.openapi(state, async (context) => {
    const key = keyOf(context.req.valid("param"));
    return context.json(orNotFound(await source.state(key, context.req.raw.signal), context), 200);
  });
  app.openapi(states, async (context) => {
    const [key, { terminal }] = [keyOf(context.req.valid("param")), context.req.valid("query")];
    return context.json(orNotFound(await heavy(() => source.states(key, terminal)), context), 200);
  });
  app.openapi(recording, async (context) => {
    const [key, { terminal, at }] = [keyOf(context.req.valid("param")), context.req.valid("query")];
    const part = at === undefined ? { type: "whole" as const } : { type: "at" as const, tMs: at };
    return context.json(orNotFound(await heavy(() => source.recording(key, terminal, part)), context), 200);
  });
  app.openapi(recordingSearch, async (context) => {
    const [key, { terminal, q, after }] = [keyOf(context.req.valid("param")), context.req.valid("query")];
    const { signal } = context.req.raw;
    const query = { text: q, afterSeq: after };
    const found = await searches(() => source.searchRecording(key, terminal, query, signal));
    return context.json(orNotFound(found, context), 200);
  });
  app.openapi(timeline, async (context) => {
    const { runId } = context.req.valid("param");
    orNotFound(await source.batch(runId), context);
    return context.json(await source.timeline(runId), 200);
  });
  app.openapi(statistics, async (context) =>
    context.json(await heavy(() => source.statistics(context.req.valid("query").days)), 200),
  );
  app.openapi(duplicates, async (context) => context.json(await source.duplicates(), 200));
  app.openapi(trust, async (context) =>
    context.json(await heavy(() => source.trust(context.req.valid("query").repo ?? null)), 200),
  );
  app.openapi(artifact, async (context) => {
    const { kind, ...param } = context.req.valid("param");
    const found = orNotFound(await source.artifact(keyOf(param), kind), context);
    return new Response(bodyOf(found), {
      headers: {
        ...SECURITY_HEADERS,
        "Content-Security-Policy": ARTIFACT_POLICY,
        "Content-Type": found.mediaType,
        "Content-Length": String(found.sizeBytes),
        "Content-Disposition": `attachment; filename="${found.fileName.replaceAll(/[^\w.-]/g, "_")}"`,
      },
    });
  });
}

/**
 * Returns the file's bytes as a stream. The file is disposed after the last byte, when it cannot be read further, and when the
 * reader disconnects.
 */
function bodyOf(file: AsyncDisposable & { bytes: AsyncIterable<Uint8Array> }): ReadableStream<Uint8Array> {
  const bytes = file.bytes[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const next = await bytes.next().catch(async (error: unknown) => {
        await file[Symbol.asyncDispose]();
        throw error;
      });
      if (next.done !== true) return controller.enqueue(next.value);
      controller.close();
      await file[Symbol.asyncDispose]();
    },
    cancel: () => file[Symbol.asyncDispose](),
  });
}

export function addStreams(app: OpenAPIHono, { source, hub, changeReaders, onFailure }: AppPorts): void {
  app.openapi(boardRoutes.terminal, () => {
    throw new Refusal(
      "WEBSOCKET_NEEDED",
      "a terminal is available only over a WebSocket",
      "Connect with ws:// and `Upgrade: websocket`; a recording is at …/recording.",
    );
  });
  app.openapi(boardRoutes.changes, async (context) => {
    const { after } = context.req.valid("query");
    const resumed = context.req.valid("header")["last-event-id"];
    // The store is read here, because a failure can be answered only before the stream begins.
    const last = await source.lastChange();
    const onEnd = changeReaders.take();
    return new Response(changeStream(hub, resumed ?? after ?? last, { onEnd, onFailure }), {
      headers: { ...SECURITY_HEADERS, "Content-Type": "text/event-stream; charset=utf-8" },
    });
  });
}

/** Returns the OpenAPI document, generated from the routes, so that it describes exactly the routes that the board answers. */
function openApiDocument(app: OpenAPIHono, { rules, version }: Pick<AppPorts, "rules" | "version">): object {
  app.openAPIRegistry.registerComponent("securitySchemes", "bearer", {
    type: "http",
    scheme: "bearer",
    description: "The token in the address that `afk-triage serve` prints.",
  });
  app.openAPIRegistry.registerComponent("securitySchemes", "cookie", {
    type: "apiKey",
    in: "cookie",
    name: cookieName(rules),
    description: "Set when a browser opens the address that `afk-triage serve` prints.",
  });
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "afk-triage board",
      version,
      description: "Every Triage Run of a home, live and after it has ended.",
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    },
    servers: [{ url: `http://${rules.authority}` }],
  });
  return document;
}

/** Returns a function that creates its value at the first call, because a registry accepts each component only once. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
