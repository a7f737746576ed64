import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { OperationalError } from "agent-tty/kit";
import type { FleetErrorCode } from "../fleet-error.ts";
import type { BoardScope } from "../status/index.ts";

/** A token of the fleet's board and what its holder may see. */
export interface BoardToken {
  token: string;
  scopes: BoardScope[];
}

const SHORTEST = 24;
const TOKEN = /^[!-~]+$/;
const REPOSITORY = /^[\w.-]+\/[\w.-]+$/;
const OWNER = /^[\w.-]+$/;

/**
 * Returns the tokens of a text with one token per line: the token, then its scopes (`*`, `owner` or `owner/name`), separated by
 * spaces. Empty lines and lines that begin with `#` are skipped. Throws FLEET_BOARD_TOKENS_WRONG; no message contains a token.
 */
export function parseBoardTokens(text: string): BoardToken[] {
  const tokens = text.split("\n").flatMap((line, index): BoardToken[] => {
    const words = line.trim().split(/\s+/);
    const [token = "", ...scopes] = words;
    if (token === "" || token.startsWith("#")) return [];
    if (token.length < SHORTEST || !TOKEN.test(token))
      throw wrongTokens(`line ${index + 1}: a token has at least ${SHORTEST} printable characters`);
    if (scopes.length === 0)
      throw wrongTokens(`line ${index + 1}: the token has no scopes: name what it may see`);
    return [{ token, scopes: scopes.map((scope) => parseScope(scope, index + 1)) }];
  });
  if (tokens.length === 0) throw wrongTokens("there is no token");
  if (new Set(tokens.map(({ token }) => token)).size < tokens.length)
    throw wrongTokens("one token is on two lines");
  return tokens;
}

function parseScope(word: string, line: number): BoardScope {
  if (word === "*") return { type: "all" };
  if (REPOSITORY.test(word)) return { type: "repository", repository: word.toLowerCase() };
  if (OWNER.test(word)) return { type: "owner", owner: word.toLowerCase() };
  throw wrongTokens(
    `line ${line}: ${JSON.stringify(word.slice(0, 60))} is neither *, an owner nor owner/name`,
  );
}

function wrongTokens(seen: string): OperationalError<FleetErrorCode> {
  return new OperationalError({
    code: "FLEET_BOARD_TOKENS_WRONG",
    message: `read AFK_TRIAGE_BOARD_TOKENS: ${seen}`,
    remedy:
      "Write a token and what it may see on each line, e.g. `$(openssl rand -hex 32) owner/name other-owner`.",
  });
}

/**
 * Returns the board token that a request presents in its cookie or as `Authorization: Bearer`; null if it presents no valid
 * token.
 */
export function presentedToken(
  tokens: readonly BoardToken[],
  { authorization = "", cookie = "" }: { authorization?: string | undefined; cookie?: string | undefined },
): BoardToken | null {
  const bearer = /^Bearer ([!-~]{1,300})$/i.exec(authorization)?.[1];
  const kept = cookie
    .split(/;\s*/)
    .find((one) => one.startsWith(`${COOKIE}=`))
    ?.slice(COOKIE.length + 1);
  return (
    (bearer === undefined ? null : tokenOf(tokens, bearer)) ??
    (kept === undefined ? null : find(tokens, kept, ({ token }) => cookieOf(token)))
  );
}

/** Returns the board token that equals the given text; null if no token does. */
export function tokenOf(tokens: readonly BoardToken[], given: string): BoardToken | null {
  return find(tokens, given, ({ token }) => token);
}

const COOKIE = "afk_triage_fleet_board";

/**
 * Returns the `Set-Cookie` value that signs a browser in. The cookie holds a value derived from the token, not the token itself.
 * `isSecure`: the request came over TLS.
 */
export function signInCookie({ token }: BoardToken, isSecure: boolean): string {
  return `${COOKIE}=${cookieOf(token)}; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000${isSecure ? "; Secure" : ""}`;
}

function cookieOf(token: string): string {
  return createHmac("sha256", token).update("afk-triage fleet board cookie").digest("hex");
}

/**
 * Returns the board token with the given text. The text is compared with each token in constant time, even if the lengths differ.
 */
function find(
  tokens: readonly BoardToken[],
  given: string,
  of: (token: BoardToken) => string,
): BoardToken | null {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return tokens.find((token) => timingSafeEqual(digest(of(token)), digest(given))) ?? null;
}
