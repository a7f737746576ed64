import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { Refusal } from "./board-error.ts";

/** What of a request decides whether it is let in (S17). */
export interface RequestFacts {
  method: string;
  /** As the router reads it, not as it was sent: `/%61pi` is `/api` to it. */
  path: string;
  host: string | null;
  origin: string | null;
  /** `Sec-Fetch-Site`, which browsers set and pages cannot. */
  fetchSite: string | null;
  authorization: string | null;
  cookie: string | null;
  isUpgrade: boolean;
}

export interface AccessRules {
  /** `127.0.0.1:7878`, `[::1]:7878`: as a browser names this board. */
  authority: string;
  token: string;
  allowsControl: boolean;
}

const OPEN_URL = "Open the URL that `afk-triage serve` printed; it is also what `--new-token` prints anew.";

/**
 * S17: throws a Refusal, or lets the request in. Only files of the page and the health document need no token; what is neither
 * is refused whatever it is, so that no spelling of an address is let in by mistake.
 */
export function checkAccess(request: RequestFacts, rules: AccessRules): void {
  checkHost(request, rules);
  if (isOfPage(request)) return;
  checkOrigin(request, rules);
  if (request.path !== "/api/health") checkToken(request, rules);
  if (request.method === "POST" && !rules.allowsControl)
    throw new Refusal(
      "CONTROL_NOT_ALLOWED",
      `${request.method} ${request.path}: this board only shows`,
      "Start it with `afk-triage serve --allow-control`, or use `afk-triage send`, `stop` or `kill`.",
    );
}

/** Names of one part, which are only looked up among the page's files; reading them changes nothing. */
function isOfPage({ method, path, isUpgrade }: RequestFacts): boolean {
  return !isUpgrade && (method === "GET" || method === "HEAD") && /^\/[^/]*$/.test(path) && path !== "/api";
}

/** A name that was made to point here (DNS rebinding) is another Host. */
function checkHost({ host }: RequestFacts, { authority }: AccessRules): void {
  if (host?.toLowerCase() === authority) return;
  throw new Refusal(
    "HOST_REFUSED",
    `the request is for host ${host === null ? "(none)" : JSON.stringify(host.slice(0, 100))}, this board is ${authority}`,
    `Use http://${authority}/; to reach it from another machine, forward the same port (ssh -L).`,
  );
}

/** What acts, and what outlives one answer, comes from the board's own page or from a program that holds the token. */
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
    ? new Refusal("TOKEN_WRONG", `${request.path}: the token is not this board's`, OPEN_URL)
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

/** Cookies are shared by all ports of a host: two boards must not overwrite each other's. */
function cookieName({ authority }: Pick<AccessRules, "authority">): string {
  return `afk_triage_board_${authority.slice(authority.lastIndexOf(":") + 1)}`;
}

/** Not the token itself: a cookie reaches every server of this host (ADR 32), and the token signs in everywhere. */
function cookieValue(token: string): string {
  return createHmac("sha256", token).update("afk-triage board cookie").digest("hex");
}

/** `Set-Cookie` for whoever came with the right token in the address; null: it is not this board's. */
export function signIn(given: string, rules: AccessRules): string | null {
  if (!isEqual(given, rules.token)) return null;
  return `${cookieName(rules)}=${cookieValue(rules.token)}; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000`;
}

/** In constant time, whatever their lengths. */
function isEqual(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
