import { AsyncLocalStorage } from "node:async_hooks";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { Clock, Exchange, Ids } from "agent-tty/kit";
import pino from "pino";
import { issueKey, redactSecrets } from "../../github/index.ts";
import type { BatchEvent, BatchPorts } from "../batch/index.ts";
import { logPath } from "./read-log.ts";

/** The log of a Triage Batch for operators: one JSON object per line (docs/operating.md). */
export interface BatchLog extends Disposable {
  observe(event: BatchEvent): void;
  readonly exchange: (exchange: Exchange) => void;
  /** Logs everything that `work` does under this issue, with one correlation id. */
  withinIssue: BatchPorts["withinIssue"];
}

export interface BatchLogOptions {
  /** null: a dry run, which writes no file. */
  runsDirectory: string | null;
  clock: Clock;
  ids: Ids;
  /** Withholds secrets from the lines; the same detector as everywhere else (S8). */
  canaries: BatchPorts["canaries"];
  /** With `--verbose`, called with every line as it is written; otherwise null. */
  echo: ((line: string) => void) | null;
}

interface Span {
  issue: string;
  spanId: string;
}

const MAX_FIELD_CHARACTERS = 2_000;
/** Lines that are logged before the batch has a run id are kept in memory; lines beyond this number are dropped. */
const MAX_WAITING_LINES = 1_000;

/** Creates a batch log. If the log cannot be written, the batch continues without it. Ids have the form of W3C trace context. */
export function createBatchLog(options: BatchLogOptions): BatchLog {
  const { clock, ids, canaries, echo } = options;
  const traceId = ids.hex(16);
  const rootSpanId = ids.hex(8);
  const spans = new AsyncLocalStorage<Span>();
  const destination = lateDestination(echo);
  const logger = pino(
    {
      level: "debug",
      base: { trace_id: traceId },
      timestamp: () => `,"time":"${new Date(clock.nowMs()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );
  const clean = (value: unknown): unknown =>
    typeof value === "string"
      ? canaries.withhold(redactSecrets(value.slice(0, MAX_FIELD_CHARACTERS)))
      : value;
  const write = (level: "debug" | "info" | "warn" | "error", event: string, fields: object): void => {
    const span = spans.getStore();
    const cleaned = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, clean(value)]));
    const own = { span_id: span?.spanId ?? rootSpanId, ...(span === undefined ? {} : { issue: span.issue }) };
    logger[level]({ event, ...own, ...cleaned });
  };
  return {
    observe: (event) => {
      if (event.type === "batch-started" && options.runsDirectory !== null)
        destination.open(logPath(options.runsDirectory, event.runId));
      const { level, fields } = describe(event);
      write(level, event.type, fields);
    },
    exchange: ({ system, operation, durationMs, status, outcome }) => {
      const parent = spans.getStore()?.spanId ?? rootSpanId;
      const isFailed = status === null || (system === "github" && status >= 400) || status >= 500;
      write(isFailed ? "warn" : "debug", "exchange", {
        span_id: ids.hex(8),
        parent_span_id: parent,
        system,
        operation,
        duration_ms: durationMs,
        status,
        outcome,
      });
    },
    withinIssue: (ref, work) => spans.run({ issue: issueKey(ref), spanId: ids.hex(8) }, work),
    [Symbol.dispose]: () => destination.close(),
  };
}

interface Described {
  level: "info" | "warn" | "error";
  fields: Record<string, string | number | null>;
}

function describe(event: BatchEvent): Described {
  const info = (fields: Described["fields"]): Described => ({ level: "info", fields });
  switch (event.type) {
    case "batch-started":
      return info({ run_id: event.runId, provider: event.provider, repos: event.repos.join(" ") });
    case "warning":
      return { level: "warn", fields: { message: event.message } };
    case "reaped":
      return info({ coder_workspace: event.name, reason: event.reason });
    case "kept-for-inspection":
      return info({ issue: issueKey(event.ref), coder_workspace: event.name, until: event.until });
    case "selected":
      return info({ eligible: event.eligible, skipped: event.skipped });
    case "phase":
      return info({ issue: issueKey(event.ref), phase: event.phase, detail: event.detail });
    case "session-opened":
      return info({ issue: issueKey(event.ref), session_id: event.sessionId });
    case "place-requested":
      return info({ issue: issueKey(event.ref), coder_workspace: event.name });
    case "workspace-created":
      return info({
        issue: issueKey(event.ref),
        coder_workspace: event.name,
        coder_workspace_id: event.id,
      });
    case "workspace-ready": {
      const { ref, name, origin, stages } = event;
      const message =
        origin === "prebuilt" ? "claimed a prebuilt Coder workspace" : "built a Coder workspace";
      const fields = { issue: issueKey(ref), coder_workspace: name, origin, message };
      return info({ ...fields, ...stageFields(stages) });
    }
    case "checkout-ready":
      return info({ issue: issueKey(event.ref), ...stageFields(event.stages) });
    case "pruned": {
      const { removed, failed, freedBytes: freed_bytes, leftBytes: left_bytes } = event;
      return { level: failed === 0 ? "info" : "warn", fields: { removed, failed, freed_bytes, left_bytes } };
    }
    case "stopping":
      return { level: "warn", fields: { reason: event.reason } };
    case "issue-finished": {
      const { status, reason, outcome, usage, error } = event.summary;
      const { inputTokens: input_tokens, outputTokens: output_tokens, usd } = usage;
      const fields = {
        issue: issueKey(event.summary),
        status,
        reason,
        outcome,
        input_tokens,
        output_tokens,
        usd,
      };
      if (error === null) return info(fields);
      return { level: "error", fields: { ...fields, error_code: error.code, message: error.message } };
    }
  }
}

function stageFields(stages: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(stages).map(([stage, ms]) => [`${stage.replaceAll(/\W+/g, "_")}_ms`, ms]),
  );
}

/** Returns a destination that keeps lines until the log file is known. If the file cannot be written, lines are dropped. */
function lateDestination(echo: BatchLogOptions["echo"]) {
  let waiting: string[] = [];
  let file: ReturnType<typeof pino.destination> | null = null;
  let isBroken = false;
  const put = (line: string): void => {
    try {
      file?.write(line);
    } catch {
      isBroken = true;
    }
  };
  return {
    write: (line: string): void => {
      echo?.(line.trimEnd());
      if (isBroken) return;
      if (file !== null) put(line);
      else if (waiting.length < MAX_WAITING_LINES) waiting.push(line);
    },
    open: (path: string): void => {
      try {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        file = pino.destination({ dest: path, sync: true, append: true, mode: 0o600 });
        file.on("error", () => (isBroken = true));
        for (const line of waiting) put(line);
      } catch {
        isBroken = true;
      }
      waiting = [];
    },
    close: (): void => {
      try {
        file?.end();
      } catch {
        // The log itself failed, so this cannot be logged.
      }
    },
  };
}
