import { createRoute, type RouteConfig, z } from "@hono/zod-openapi";
import {
  answerRequestSchema,
  type ArtifactKind,
  artifactKinds,
  artifactMediaTypes,
  batchListSchema,
  batchSchema,
  batchTimelineSchema,
  boardRunIdSchema,
  changeEventSchema,
  controlResultSchema,
  followUpListSchema,
  duplicatesSchema,
  failureSchema,
  healthSchema,
  issueSchema,
  inputRequestSchema,
  recordingSchema,
  recordingSearchSchema,
  runDocumentSchema,
  runListSchema,
  stateDocumentSchema,
  stateSeriesSchema,
  statisticsSchema,
  terminalFrameSchema,
  totalsSchema,
  trustSchema,
} from "../api/index.ts";
import { sortKeys } from "./board-source.ts";
import { boardLimits } from "./limits.ts";

/** Returns the schema of a count in the query, where parameters are text. */
const count = (max: number, fallback: number) =>
  z
    .string()
    .regex(/^\d{1,6}$/)
    .transform(Number)
    .pipe(z.int().min(1).max(max))
    .default(fallback);
const seq = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);
const repo = z
  .string()
  .regex(/^[\w.-]+\/[\w.-]+$/)
  .max(200);
const runParam = z.object({ id: boardRunIdSchema });
const terminalQuery = z.object({
  terminal: z.enum(["triage-agent", "verification"]).default("triage-agent"),
});
const runIdParam = z.object({ runId: z.string().regex(/^\d{8}T\d{6}Z(?:-\w{1,32})?$/) });

const flag = z.enum(["true", "false"]).default("false");
const totalsQuery = { batch: runIdParam.shape.runId.optional(), recent: flag };

type Request = NonNullable<RouteConfig["request"]>;

const refused = {
  description: "A refusal or a failure",
  content: { "application/problem+json": { schema: failureSchema } },
};
/** The error responses that every operation has. */
const failures = { "4XX": refused, default: refused };

/** Returns the description of an operation: a one-sentence summary, a name, and its security requirements. */
const told = (method: string, path: string, description: string) => ({
  summary: /^[^.:(]+/.exec(description.replace(/^[A-Z]\d+: /, ""))?.[0].trim() ?? description,
  operationId: [method, ...path.split("/").map((part) => part.replace(/^\{(.*)\}$/, "by-$1"))]
    .filter((part) => part !== "" && part !== "api")
    .join("-")
    .replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
  description,
  security: path === "/api/health" ? [] : [{ bearer: [] }, { cookie: [] }],
});

const answers = <S extends z.ZodType>(description: string, schema: S) => ({
  200: { description, content: { "application/json": { schema } } },
  ...failures,
});

const get = <P extends string, S extends z.ZodType, R extends Request>(
  path: P,
  description: string,
  schema: S,
  request: R,
) =>
  createRoute({
    method: "get",
    path,
    ...told("get", path, description),
    request,
    responses: answers(description, schema),
  });

const post = <P extends string, R extends Request>(path: P, description: string, request: R) =>
  createRoute({
    method: "post",
    path,
    ...told("post", path, `${description} 403 CONTROL_NOT_ALLOWED without \`--allow-control\`.`),
    request,
    responses: answers(description, controlResultSchema),
  });

const artifactContent: Record<string, { schema: z.ZodType }> = Object.fromEntries(
  Object.values(artifactMediaTypes).map((type) => [type, { schema: schemaOf(type) }]),
);

function schemaOf(mediaType: (typeof artifactMediaTypes)[ArtifactKind]): z.ZodType {
  return mediaType === "application/json" ? z.record(z.string(), z.unknown()) : z.string();
}

/** The routes of the board, with paths in OpenAPI notation (O22). `/api/openapi.json` is generated from them. */
export const boardRoutes = {
  health: get("/api/health", "Whether the board answers. Needs no token.", healthSchema, {}),
  batches: get("/api/batches", "Triage Batches, the newest first.", batchListSchema, {
    query: z.object({
      limit: count(boardLimits.batchesPerPage, 50),
      after: runIdParam.shape.runId.optional(),
    }),
  }),
  batch: get("/api/batches/{runId}", "One Triage Batch.", batchSchema, { params: runIdParam }),
  timeline: get(
    "/api/batches/{runId}/timeline",
    "The Triage Runs of a Triage Batch with their phases, in the order of their start.",
    batchTimelineSchema,
    { params: runIdParam },
  ),
  runs: get(
    "/api/runs",
    "Triage Runs, the newest first, filtered, in any order, page by page.",
    runListSchema,
    {
      query: z.object({
        ...totalsQuery,
        repo: repo.optional(),
        status: z.string().max(40).optional(),
        result: z.string().max(40).optional(),
        live: flag,
        q: z.string().max(200).default(""),
        sort: z.enum(sortKeys).default("started"),
        order: z.enum(["ascending", "descending"]).default("descending"),
        limit: count(boardLimits.runsPerPage, 100),
        after: z.string().max(2_000).optional(),
      }),
    },
  ),
  totals: get(
    "/api/totals",
    "Exact totals of a Triage Batch, of the last 24 hours or of everything.",
    totalsSchema,
    {
      query: z.object(totalsQuery),
    },
  ),
  run: get("/api/runs/{id}", "One Triage Run.", runDocumentSchema, { params: runParam }),
  state: get("/api/runs/{id}/state", "H1: the present tracked state of its TUI.", stateDocumentSchema, {
    params: runParam,
  }),
  states: get("/api/runs/{id}/states", "The tracked states of its TUI, one per change.", stateSeriesSchema, {
    params: runParam,
    query: terminalQuery,
  }),
  recording: get(
    "/api/runs/{id}/recording",
    "A terminal's recording: all of it, or only the last screen if it is long; with `at` (milliseconds since its start), the screen at that time and the frames that follow. `window` says which part it is.",
    recordingSchema,
    { params: runParam, query: terminalQuery.extend({ at: seq.optional() }) },
  ),
  issue: get(
    "/api/runs/{id}/issue",
    "The issue as the Triage Agent received it, laid out as inert text.",
    issueSchema,
    { params: runParam },
  ),
  recordingSearch: get(
    "/api/runs/{id}/recording/search",
    "The lines of a terminal's recording that contain a text, in bounded parts: pass `nextSeq` as `after` to continue.",
    recordingSearchSchema,
    {
      params: runParam,
      query: terminalQuery.extend({ q: z.string().trim().min(1).max(200), after: seq.default(0) }),
    },
  ),
  artifact: createRoute({
    method: "get",
    path: "/api/runs/{id}/artifacts/{kind}",
    ...told("get", "/api/runs/{id}/artifacts/{kind}", "One file of its evidence, as a download."),
    request: { params: runParam.extend({ kind: z.enum(artifactKinds) }) },
    responses: {
      200: { description: "The file; its kind decides the media type", content: artifactContent },
      ...failures,
    },
  }),
  sweep: createRoute({
    method: "get",
    path: "/api/sweep",
    ...told("get", "/api/sweep", "The view of sweeps, as a page without scripts. 404 if the board has none."),
    responses: {
      200: { description: "The page", content: { "text/html": { schema: z.string() } } },
      ...failures,
    },
  }),
  input: post(
    "/api/runs/{id}/input",
    "Types a text into the Triage Agent's terminal, if the send gate allows it (H39).",
    {
      params: runParam,
      body: { required: true, content: { "application/json": { schema: inputRequestSchema } } },
    },
  ),
  answer: post(
    "/api/runs/{id}/answer",
    "Chooses a row of the dialog for which the Triage Agent waits: refused when the screen shows anything else.",
    {
      params: runParam,
      body: { required: true, content: { "application/json": { schema: answerRequestSchema } } },
    },
  ),
  stop: post("/api/runs/{id}/stop", "Stops the Triage Run; the issue stays unchanged.", {
    params: runParam,
  }),
  kill: post("/api/runs/{id}/kill", "Stops the Triage Run like `stop`, but marks it terminated first.", {
    params: runParam,
  }),
  verify: post(
    "/api/runs/{id}/verify",
    "Starts `afk-triage verify` for the issue of a settled Triage Run: its stored reproduction runs again, without a Triage Agent.",
    { params: runParam },
  ),
  rerun: post(
    "/api/runs/{id}/rerun",
    "Starts `afk-triage run` for the issue of a settled Triage Run: a new Triage Run, if the issue is eligible.",
    { params: runParam },
  ),
  followUps: get(
    "/api/runs/{id}/follow-ups",
    "The commands that were started from this Triage Run since the board began.",
    followUpListSchema,
    { params: runParam },
  ),
  statistics: get("/api/statistics", "The data of the plots.", statisticsSchema, {
    query: z.object({ days: count(366, 30) }),
  }),
  duplicates: get("/api/duplicates", "D6: clusters of issues that report one cause.", duplicatesSchema, {}),
  trust: get(
    "/api/trust",
    "E5: how maintainers reacted to past outcomes, and what each kind has earned.",
    trustSchema,
    {
      query: z.object({ repo: repo.optional() }),
    },
  ),
  changes: createRoute({
    method: "get",
    path: "/api/changes",
    ...told(
      "get",
      "/api/changes",
      "Server-sent events: what changes after `after` or `Last-Event-ID` (default: from now on). An event's id is a sequence of the change log; its data is the document below. Heartbeats are comments.",
    ),
    request: {
      query: z.object({ after: seq.optional() }),
      headers: z.object({ "last-event-id": seq.optional() }),
    },
    responses: {
      200: { description: "Changes", content: { "text/event-stream": { schema: changeEventSchema } } },
      ...failures,
    },
  }),
  /** This route is answered during the WebSocket upgrade; see terminal-upgrades.ts. */
  terminal: createRoute({
    method: "get",
    path: "/api/runs/{id}/terminal",
    ...told(
      "get",
      "/api/runs/{id}/terminal",
      "WebSocket: the live frames of a terminal, one JSON text message per frame. They begin after `afterSeq` of the Session `session`, or with a `reset`, for example when the run has another Session by now. Closed with 1000 when the terminal has ended, 1001 when the board closes, 1008 with the reason when there is no such terminal, 1011 when it cannot be read, 1013 when there are too many readers.",
    ),
    request: {
      params: runParam,
      query: terminalQuery.extend({ afterSeq: seq.optional(), session: z.string().max(100).optional() }),
    },
    responses: {
      101: { description: "Frames", content: { "application/json": { schema: terminalFrameSchema } } },
      ...failures,
    },
  }),
} as const;
