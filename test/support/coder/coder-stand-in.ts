import { randomUUID } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { temporaryDirectory } from "../temporary-directory.ts";
import {
  type AnswerFault,
  type CliBehaviour,
  type CoderFaults,
  DEFAULT_TEMPLATE,
  DEFAULT_TIMINGS,
  noFaults,
  type StandInTimings,
  type TemplateSpec,
  type WorkspaceRecord,
} from "./stand-in-model.ts";
import type { CliStart } from "./stand-in-cli.ts";
import { openControl } from "./stand-in-control.ts";
import { ticksNow } from "../process-starts.ts";
import { killProcessesCarrying } from "./stand-in-processes.ts";
import type { Reply } from "./stand-in-call.ts";
import { isPooled } from "./stand-in-prebuilds.ts";
import { answerGateway, AUDITOR_TOKEN, isGatewayPath } from "./stand-in-gateway.ts";
import { answer } from "./stand-in-routes.ts";
import { createSshSessions, type SshSessions } from "./stand-in-ssh.ts";
import { createState } from "./stand-in-state.ts";
import type { StandInState } from "./stand-in-model.ts";

export interface CoderStandInOptions {
  serverVersion?: string;
  cliVersion?: string;
  /** Default: one template `triage` with the lease parameters. */
  templates?: TemplateSpec[];
  timings?: Partial<StandInTimings>;
}

/** A Coder deployment on loopback and its `coder` executable. Disposal ends everything it started. */
export interface CoderStandIn extends AsyncDisposable {
  readonly url: string;
  /** The token that is currently valid. */
  readonly token: string;
  /** Invalidates the current token; returns the next one. */
  rotateToken(): string;
  /** Path of the `coder` executable. */
  readonly binary: string;
  readonly faults: CoderFaults;
  readonly state: StandInState;
  /** `METHOD /path` without /api/v2, in order of arrival, with its JSON body. */
  readonly requests: { line: string; body: unknown }[];
  /** argv and environment of every start of the executable. */
  invocations(): readonly CliStart[];
  configureCli(behaviour: Partial<CliBehaviour>): void;
  /** Drops every open `coder ssh` connection; returns their number. */
  dropSessions(): number;
  /** Returns the number of open `coder ssh` connections. */
  sessionCount(): number;
  /** Called for every API request before it is answered, and for every accepted `coder ssh`. */
  onCall: (call: StandInCall) => void;
  /** Called once for every `coder ssh`, with the Coder workspace's name; returns how the connection is lost, or null. */
  onSsh: (workspace: string) => SshLoss | null;
  /** Creates a Coder workspace as another program or user would. */
  seed(workspace: {
    name: string;
    parameters?: Record<string, string>;
    ageMs?: number;
    /** Owned by another Coder user. */
    isForeign?: boolean;
    template?: string;
  }): { id: string; name: string };
  /** Moves all times that the deployment stores about this Coder workspace into the past. */
  age(name: string, byMs: number): void;
  /** Restarts the Coder workspace agent of this Coder workspace, as Coder 2.33 to 2.35 do on a reconnect after a claim. */
  reinitialise(name: string): void;
  /** Returns the names in use by Coder workspaces, without unclaimed prebuilds. */
  liveNames(): string[];
}

/** `hanging`: the CLI never connects and never exits. */
export type SshLoss = "dropped" | "agent is shutting down" | "hanging";

export type StandInCall =
  | { type: "api"; method: string; path: string; body: unknown; isAuthentic: boolean }
  | { type: "ssh" };

export async function startCoderStandIn(options: CoderStandInOptions = {}): Promise<CoderStandIn> {
  const directory = await temporaryDirectory();
  const mark = randomUUID();
  const since = ticksNow();
  let token = `token-${randomUUID()}`;
  const faults = noFaults();
  const timings = { ...DEFAULT_TIMINGS, ...options.timings };
  const state = createState(directory.path, options.templates ?? [DEFAULT_TEMPLATE], faults, timings);
  const requests: CoderStandIn["requests"] = [];
  // The server keeps idle connections longer than clients do, as a proxy would, so that no request meets a connection that is
  // being closed.
  const server = createServer({ keepAliveTimeout: 120_000 });
  const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sessions = createSshSessions(state, url);
  const serverVersion = options.serverVersion ?? "v2.35.1+8b44bd6";
  server.on("request", (request, response) => {
    const onCall = (call: StandInCall): void => standIn.onCall(call);
    const onSsh = (workspace: string): SshLoss | null => standIn.onSsh(workspace);
    void serve({
      onSsh,
      request,
      response,
      state,
      sessions,
      token,
      url: url(),
      requests,
      serverVersion,
      onCall,
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const control = await openControl(
    directory.path,
    { version: options.cliVersion ?? "v2.35.1+8b44bd6", hangs: false, pathPrefix: "" },
    sessions,
  );
  const findTemplate = (name: string) => {
    const template = state.templates.find(({ spec }) => spec.name === name);
    if (template === undefined) throw new Error(`the stand-in has no template ${name}`);
    return template;
  };
  const findWorkspace = (name: string): WorkspaceRecord => {
    const found = state.workspaces.find((workspace) => !workspace.isDeleted && workspace.name === name);
    if (found === undefined) throw new Error(`the stand-in has no Coder workspace ${name}`);
    return found;
  };
  const standIn: CoderStandIn = {
    url: url(),
    onCall: () => undefined,
    onSsh: () => null,
    get token() {
      return token;
    },
    rotateToken: () => (token = `token-${randomUUID()}`),
    binary: writeExecutable(directory.path, mark),
    faults,
    state,
    requests,
    invocations: () => control.starts,
    configureCli: (behaviour) => control.configure(behaviour),
    dropSessions: () => sessions.dropAll(),
    sessionCount: () => sessions.count(),
    seed: ({ name, parameters = {}, ageMs = 0, isForeign = false, template }) => {
      const record = state.addWorkspace({
        name,
        template: findTemplate(template ?? state.templates[0]?.spec.name ?? ""),
        parameters,
        presetId: null,
        ttlMs: null,
        createdMs: Date.now() - ageMs,
        ...(isForeign ? { ownerId: randomUUID() } : {}),
      });
      return { id: record.id, name };
    },
    age: (name, byMs) => {
      const found = findWorkspace(name);
      found.createdMs -= byMs;
      for (const build of found.builds) {
        build.createdMs -= byMs;
        if (build.startedMs !== null) build.startedMs -= byMs;
        if (build.completedMs !== null) build.completedMs -= byMs;
      }
    },
    reinitialise: (name) => {
      const found = findWorkspace(name);
      // The agent starts again after the build of the claim, never in the same millisecond.
      const builtMs = found.builds.at(-1)?.completedMs ?? 0;
      found.reinitialiseMs = Math.max(Date.now(), builtMs + 1);
      sessions.dropOf(found.id);
    },
    liveNames: () => {
      state.settle();
      return state.workspaces
        .filter((workspace) => !workspace.isDeleted && !isPooled(workspace))
        .map(({ name }) => name);
    },
    [Symbol.asyncDispose]: async () => {
      killProcessesCarrying(`CODER_STAND_IN=${mark}`, since);
      state.dispose();
      await control[Symbol.asyncDispose]();
      await close(server);
      await directory[Symbol.asyncDispose]();
    },
  };
  return standIn;
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  state: StandInState;
  sessions: SshSessions;
  token: string;
  url: string;
  requests: CoderStandIn["requests"];
  serverVersion: string;
  onCall: CoderStandIn["onCall"];
  onSsh: CoderStandIn["onSsh"];
}

async function serve(exchange: Exchange): Promise<void> {
  const { request, response, state, sessions, token, url, requests, onCall } = exchange;
  const target = new URL(request.url ?? "/", url);
  const text = await readBody(request);
  const isAuthentic = request.headers["coder-session-token"] === token && !state.faults.unauthorized;
  state.settle();
  if (target.pathname === "/stand-in/ssh") {
    if (!isAuthentic) return send(response, { status: 401, body: unauthenticated });
    const admission = sessions.admit(target.searchParams);
    if (admission.type === "session") {
      onCall({ type: "ssh" });
      const loss = exchange.onSsh(admission.workspace);
      if (loss === "agent is shutting down")
        return send(response, { status: 200, body: { type: "refused", message: loss } });
      if (loss === "hanging") return;
      if (loss === "dropped") return send(response, { status: 200, body: { ...admission, drop: true } });
    }
    return send(response, { status: 200, body: admission });
  }
  if (!target.pathname.startsWith("/api/v2/")) return send(response, { status: 404, body: {} });
  const path = target.pathname.slice("/api/v2".length);
  const method = request.method ?? "GET";
  const body = text === "" ? undefined : parseJson(text);
  requests.push({ line: `${method} ${path}${target.search}`, body });
  onCall({ type: "api", method, path, body, isAuthentic });
  const fault = takeFault(state.faults, method, path);
  if (fault?.effect === "before") return sendFault(response, fault);
  const reply =
    path === "/buildinfo"
      ? { status: 200, body: { version: exchange.serverVersion, external_url: "", dashboard_url: url } }
      : isGatewayPath(path)
        ? request.headers["coder-session-token"] === AUDITOR_TOKEN
          ? answerGateway(state, { method, path, query: target.searchParams, body, url })
          : { status: 403, body: { message: "Forbidden." } }
        : isAuthentic
          ? answer(state, { method, path, query: target.searchParams, body, url })
          : { status: 401, body: unauthenticated };
  if (fault === undefined) send(response, reply);
  else sendFault(response, fault);
}

const unauthenticated = {
  message: "You are signed out or your session has expired. Please sign in again to continue.",
  detail: "API key is invalid.",
};

function takeFault(faults: CoderFaults, method: string, path: string): AnswerFault | undefined {
  const fault = faults.answers.find(
    (candidate) => candidate.times > 0 && candidate.method === method && candidate.path.test(path),
  );
  if (fault !== undefined) fault.times -= 1;
  return fault;
}

function sendFault(response: ServerResponse, { answer }: AnswerFault): void {
  if (answer === "drop") response.socket?.destroy();
  else if (answer.html === undefined) send(response, answer);
  else response.writeHead(answer.status, { "content-type": "text/html", ...answer.headers }).end(answer.html);
}

function send(
  response: ServerResponse,
  { status, body, text, headers }: Reply & { headers?: Record<string, string> },
): void {
  response
    .writeHead(status, { "content-type": "application/json", "x-coder-build-version": "v2.35.1", ...headers })
    .end(text ?? JSON.stringify(body === undefined ? {} : body));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const PERL = "/usr/bin/perl";

/**
 * Writes the `coder` executable. The mark makes every process of this stand-in findable, although callers start it with a
 * scrubbed environment.
 */
function writeExecutable(directory: string, mark: string): string {
  const path = join(directory, "coder");
  const script = join(import.meta.dirname, "coder-cli.pl");
  if (!existsSync(PERL)) throw new Error(`${PERL} is missing: the stand-in's coder is written in Perl`);
  const lines = [
    "#!/bin/sh",
    `export CODER_STAND_IN=${mark} CODER_STAND_IN_DIRECTORY='${directory}'`,
    `export AFK_TEST_RUN='${process.env["AFK_TEST_RUN"] ?? ""}'`,
    `exec ${PERL} '${script}' "$@"`,
  ];
  writeFileSync(path, `${lines.join("\n")}\n`, { mode: 0o755 });
  return path;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
