import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { Refusal } from "./board-error.ts";

/** The facts of a request that decide whether it is admitted (S17). */
export interface RequestFacts {
  method: string;
  /** The path as the router reads it, not as it was sent: for the router, `/%61pi` is `/api`. */
  path: string;
  host: string | null;
  origin: string | null;
  /** The `Sec-Fetch-Site` header, which browsers set and pages cannot. */
  fetchSite: string | null;
  authorization: string | null;
  cookie: string | null;
  isUpgrade: boolean;
}

export interface AccessRules {
  /** The board's address as browsers write it: `127.0.0.1:7878`, `[::1]:7878`, `127.0.0.1` for port 80. */
  authority: string;
  token: string;
  allowsControl: boolean;
}

/** Returns the authority of a board at this address. */
export function authorityOf(host: string, port: number): string {
  return new URL(`http://${host}:${port}`).host;
}

const OPEN_URL = "Open the URL that `afk-triage serve` printed; `--new-token` prints a new one.";

/**
 * Throws a Refusal for a request that is not admitted (S17). Only the page's files and the health document need no token. Every
 * other path is refused without one, whatever its spelling.
 */
export function checkAccess(request: RequestFacts, rules: AccessRules): void {
  checkHost(request, rules);
  if (isOfPage(request)) return;
  checkOrigin(request, rules);
  if (request.path !== "/api/health") checkToken(request, rules);
  if (request.method === "POST" && !rules.allowsControl)
    throw new Refusal(
      "CONTROL_NOT_ALLOWED",
      `${request.method} ${request.path}: this board is read-only`,
      "Start it with `afk-triage serve --allow-control`, or use `afk-triage send`, `stop` or `kill`.",
    );
}

/**
 * Returns whether the request reads a single-segment name. Such names are only looked up among the page's files, and reading them
 * changes nothing.
 */
function isOfPage({ method, path, isUpgrade }: RequestFacts): boolean {
  return !isUpgrade && (method === "GET" || method === "HEAD") && /^\/[^/]*$/.test(path) && path !== "/api";
}

/**
 * Refuses a Host header that is not the board's, because a foreign host name may have been made to resolve to this machine (DNS
 * rebinding).
 */
function checkHost({ host }: RequestFacts, { authority }: AccessRules): void {
  if (host?.toLowerCase() === authority) return;
  throw new Refusal(
    "HOST_REFUSED",
    `the request is for host ${host === null ? "(none)" : JSON.stringify(host.slice(0, 100))}, this board is ${authority}`,
    `Use http://${authority}/; to reach it from another machine, forward the same port (ssh -L).`,
  );
}

/**
 * Refuses requests from other sites. A request that acts (neither GET nor HEAD) or opens a WebSocket must come from the board's
 * own page or from a program with the token.
 */
function checkOrigin(request: RequestFacts, rules: AccessRules): void {
  const { origin, fetchSite, method, isUpgrade } = request;
  const isSame = origin === `http://${rules.authority}`;
  const isForeign = (origin !== null && !isSame) || fetchSite === "cross-site" || fetchSite === "same-site";
  const needsOrigin = (method !== "GET" && method !== "HEAD") || isUpgrade;
  if (!isForeign && (!needsOrigin || isSame || holdsBearer(request, rules))) return;
  throw new Refusal(
    "ORIGIN_REFUSED",
    `${method} ${request.path} comes from ${origin === null ? "no origin" : JSON.stringify(origin.slice(0, 100))}`,
    `Only the board's own page at http://${rules.authority}/ may ask for this; programs send the token as \`Authorization: Bearer\`.`,
  );
}

function checkToken(request: RequestFacts, rules: AccessRules): void {
  if (holdsBearer(request, rules) || holdsCookie(request, rules)) return;
  const isThere = request.authorization !== null || cookieOf(request, rules) !== null;
  throw isThere
    ? new Refusal("TOKEN_WRONG", `${request.path}: the token is wrong for this board`, OPEN_URL)
    : new Refusal("TOKEN_MISSING", `${request.path} needs the board's token`, OPEN_URL);
}

function holdsBearer({ authorization }: RequestFacts, { token }: AccessRules): boolean {
  const given = /^Bearer ([!-~]{1,200})$/i.exec(authorization ?? "")?.[1];
  return given !== undefined && isEqual(given, token);
}

function holdsCookie(request: RequestFacts, rules: AccessRules): boolean {
  const given = cookieOf(request, rules);
  return given !== null && isEqual(given, cookieValue(rules.token));
}

function cookieOf({ cookie }: RequestFacts, rules: AccessRules): string | null {
  const prefix = `${cookieName(rules)}=`;
  const found = (cookie ?? "").split(/;\s*/).find((one) => one.startsWith(prefix));
  return found === undefined ? null : found.slice(prefix.length);
}

/** Returns the name of a board's cookie. All ports of a host share cookies, so each board needs its own name. */
export function cookieName({ authority }: Pick<AccessRules, "authority">): string {
  return `afk_triage_board_${new URL(`http://${authority}`).port || "80"}`;
}

/**
 * Returns the cookie's value, which is derived from the token, because a cookie reaches every server of this host (ADR 32), and the
 * token signs in everywhere.
 */
function cookieValue(token: string): string {
  return createHmac("sha256", token).update("afk-triage board cookie").digest("hex");
}

/** Returns the `Set-Cookie` value for a request with the right token in the address; null for a wrong token. */
export function signIn(given: string, rules: AccessRules): string | null {
  if (!isEqual(given, rules.token)) return null;
  return `${cookieName(rules)}=${cookieValue(rules.token)}; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000`;
}

/** Returns whether two texts are equal, in constant time, whatever their lengths. */
function isEqual(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
