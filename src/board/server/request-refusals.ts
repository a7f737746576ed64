import type { Context } from "hono";
import { type BoardRunKey, parseBoardRunId } from "../api/index.ts";
import { Refusal } from "./board-error.ts";

/** Returns the key of an id that the route has checked. */
export function keyOf({ id }: { id: string }): BoardRunKey {
  const key = parseBoardRunId(id);
  if (key === null) throw new Error(`${id} was accepted as a run's id but is not one`);
  return key;
}

/** Returns the document. Throws a not-found Refusal for null. */
export function orNotFound<T>(found: T | null, context: Context): T {
  if (found === null) throw notFound(context.req.path);
  return found;
}

/** Returns the refusal of an unknown path. */
export function notFound(path: string): Refusal {
  return new Refusal(
    "NOT_FOUND",
    `there is no ${path.slice(0, 200)} on this board`,
    "See /api/openapi.json for the available paths; /api/runs lists the Triage Runs.",
  );
}

/** Returns the refusal of a method that the path does not support; `allowed`: those that it does. */
export function wrongMethod(
  { method, path }: { method: string; path: string },
  allowed: readonly string[],
): Refusal {
  return new Refusal(
    "METHOD_NOT_ALLOWED",
    `${method} ${path.slice(0, 200)}`,
    "See /api/openapi.json for the methods of each address.",
    { Allow: allowed.join(", ") },
  );
}

/** Returns the refusal of invalid parameters, with the path of each. */
export function invalid(issues: readonly { path: PropertyKey[]; message: string }[]): Refusal {
  const seen = issues.slice(0, 5).map(({ path, message }) => `${path.join(".") || "value"}: ${message}`);
  return new Refusal("REQUEST_INVALID", seen.join("; "), "See /api/openapi.json for the expected request.");
}
