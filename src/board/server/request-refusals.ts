import type { Context } from "hono";
import { type BoardRunKey, parseBoardRunId } from "../api/index.ts";
import { Refusal } from "./board-error.ts";

/** Of a name that the route has checked. */
export function keyOf({ id }: { id: string }): BoardRunKey {
  const key = parseBoardRunId(id);
  if (key === null) throw new Error(`${id} passed as a run's name and is none`);
  return key;
}

export function orNotFound<T>(found: T | null, context: Context): T {
  if (found === null) throw notFound(context.req.path);
  return found;
}

export function notFound(path: string): Refusal {
  return new Refusal(
    "NOT_FOUND",
    `there is no ${path.slice(0, 200)} on this board`,
    "See /api/openapi.json for what there is; a Triage Run is named in /api/runs.",
  );
}

export function wrongMethod({ method, path }: { method: string; path: string }): Refusal {
  return new Refusal(
    "METHOD_NOT_ALLOWED",
    `${method} ${path.slice(0, 200)}`,
    "See /api/openapi.json for the methods of each address.",
  );
}

export function invalid(issues: readonly { path: PropertyKey[]; message: string }[]): Refusal {
  const seen = issues.slice(0, 5).map(({ path, message }) => `${path.join(".") || "value"}: ${message}`);
  return new Refusal("REQUEST_INVALID", seen.join("; "), "See /api/openapi.json for what is expected.");
}
