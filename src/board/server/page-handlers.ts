import type { OpenAPIHono } from "@hono/zod-openapi";
import { signIn } from "./access.ts";
import type { Context } from "hono";
import type { AppPorts } from "./app-ports.ts";
import { Refusal } from "./board-error.ts";
import { boardRoutes } from "./board-routes.ts";
import { withNonce } from "./page-files.ts";
import { notFound } from "./request-refusals.ts";
import { contentPolicy, SECURITY_HEADERS, withHeaders } from "./security-headers.ts";
import { acceptedEncoding } from "./transport.ts";

/** Adds the view of sweeps (W6): a separate page without scripts, for readers with the token. */
export function addSweepPage(app: OpenAPIHono, { sweepPage, nonce }: AppPorts): void {
  app.openapi(boardRoutes.sweep, async (context) => {
    if (sweepPage === null) throw notFound(context.req.path);
    const value = nonce();
    return context.html(await sweepPage(value), 200, {
      ...SECURITY_HEADERS,
      "Content-Security-Policy": `default-src 'none'; style-src 'nonce-${value}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    });
  });
}

/**
 * Adds the page to the app. The page's address is the only address that accepts the token, which is moved at once into a cookie
 * that no script can read.
 */
export function addPage(app: OpenAPIHono, { rules, pageFiles, nonce }: AppPorts): void {
  const page = (context: Context, status: 200 | 401): Response => {
    const file = pageFiles.get("index.html");
    if (file === undefined)
      throw new Refusal(
        "NOT_FOUND",
        "the board's page is not part of this program",
        "Build it with `npm run build`; the API answers all the same, see /api/openapi.json.",
      );
    const value = nonce();
    return context.html(withNonce(file, value), status, {
      ...SECURITY_HEADERS,
      "Content-Security-Policy": contentPolicy(value),
    });
  };
  app.get("/", (context) => {
    const token = context.req.query("token");
    if (token !== undefined) {
      const cookie = signIn(token, rules);
      // A person gets the page, which says how to sign in; a program gets the refusal.
      if (cookie === null && context.req.header("Accept")?.includes("text/html") === true)
        return page(context, 401);
      if (cookie === null)
        throw new Refusal(
          "TOKEN_WRONG",
          "the token in this address is wrong for this board",
          "Open the URL that `afk-triage serve` printed last.",
        );
      return withHeaders(context.body(null, 303, { Location: "/", "Set-Cookie": cookie }));
    }
    return page(context, 200);
  });
  app.get("/:file", (context) => {
    const file = pageFiles.get(context.req.param("file"));
    if (file === undefined) throw notFound(context.req.path);
    const encoding = acceptedEncoding(context.req.header("Accept-Encoding") ?? "");
    const encoded = encoding === null ? null : file.encoded[encoding];
    return context.body(encoded ?? file.bytes, 200, {
      ...SECURITY_HEADERS,
      ...(encoding === null || encoded === null ? {} : { "Content-Encoding": encoding }),
      "Content-Type": file.mediaType,
      ...(file.isImmutable ? { "Cache-Control": "public, max-age=31536000, immutable" } : {}),
    });
  });
}
