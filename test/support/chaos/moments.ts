import { systemClock } from "agent-tty/kit";
import type { StandInCall } from "../coder/index.ts";
import type { RecordedRequest } from "../github/recording-proxy.ts";
import type { CoderCall, GithubCall, Moment } from "./moment.ts";

/** Counts events and calls back synchronously when a moment has come. */
export interface Moments extends Disposable {
  at(moment: Moment, strike: () => void): void;
  sawGithub(request: Pick<RecordedRequest, "method" | "path">): void;
  sawCoder(call: StandInCall): void;
  sawEvent(parent: number, event: string): void;
}

export function createMoments(): Moments {
  const waiting = new Map<string, { nth: number; strike: () => void }[]>();
  const counts = new Map<string, number>();
  const timers: Disposable[] = [];
  const saw = (key: string): void => {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    for (const { nth, strike } of waiting.get(key) ?? []) if (nth === count) strike();
  };
  return {
    at: (moment, strike) => {
      if (moment.on === "time") timers.push(systemClock.schedule(moment.afterMs, strike));
      else {
        const key = keyOf(moment);
        waiting.set(key, [...(waiting.get(key) ?? []), { nth: moment.nth, strike }]);
      }
    },
    sawGithub: (request) => {
      for (const which of githubCalls) if (isGithubCall(request, which)) saw(`github ${which}`);
    },
    sawCoder: (call) => {
      if (call.type === "ssh") saw("ssh");
      else for (const which of coderCalls) if (isCoderCall(call, which)) saw(`coder ${which}`);
    },
    sawEvent: (parent, event) => saw(`event ${parent} ${event}`),
    [Symbol.dispose]: () => {
      waiting.clear();
      for (const timer of timers) timer[Symbol.dispose]();
    },
  };
}

const githubCalls: readonly GithubCall[] = ["any", "write", "comment"];
const coderCalls: readonly CoderCall[] = ["any", "create", "stop", "delete"];

function keyOf(moment: Exclude<Moment, { on: "time" }>): string {
  switch (moment.on) {
    case "github":
    case "coder":
      return `${moment.on} ${moment.which}`;
    case "ssh":
      return "ssh";
    case "event":
      return `event ${moment.parent} ${moment.event}`;
  }
}

export function isGithubCall(
  { method, path }: Pick<RecordedRequest, "method" | "path">,
  which: GithubCall,
): boolean {
  if (which === "any") return true;
  return which === "write" ? method !== "GET" : method === "POST" && path.endsWith("/comments");
}

export function isCoderCall(
  { method, path, body }: { method: string; path: string; body: unknown },
  which: CoderCall,
): boolean {
  if (which === "any") return true;
  if (method !== "POST" || !coderPath[which].test(path)) return false;
  return which === "create" || (body as { transition?: string } | null)?.transition === which;
}

export const coderPath: Record<CoderCall, RegExp> = {
  any: /^\/(?!buildinfo)/,
  create: /^\/users\/me\/workspaces$/,
  stop: /^\/workspaces\/[^/]+\/builds$/,
  delete: /^\/workspaces\/[^/]+\/builds$/,
};
