import { OpenAPIHono } from "@hono/zod-openapi";
import { checkAccess } from "./access.ts";
import type { AppPorts } from "./app-ports.ts";
import { addControl } from "./control-handlers.ts";
import { failureResponse } from "./failure-response.ts";
import { addPage, addSweepPage } from "./page-handlers.ts";
import { addStreams, addReads } from "./read-handlers.ts";
import { factsOfRequest } from "./request-facts.ts";
import { invalid, notFound, wrongMethod } from "./request-refusals.ts";
import { withHeaders } from "./security-headers.ts";
import { transported } from "./transport.ts";

/** Returns the app that answers requests with documents (O20, O22). It decides nothing about runs. */
export function createApp(ports: AppPorts): OpenAPIHono {
  const app = new OpenAPIHono({
    defaultHook: (result) => {
      if (!result.success) throw invalid(result.error.issues);
    },
  });
  app.onError((error, { req }) => failureResponse(error, ports, req.header("Accept")));
  app.notFound((context) => {
    throw notFound(context.req.path);
  });
  app.use(async (context, next) => {
    checkAccess(factsOfRequest(context.req.raw, context.req.path), ports.rules);
    await next();
    if (!context.res.headers.has("Content-Security-Policy")) withHeaders(context.res);
    const response = await transported(context);
    // Hono answers HEAD like GET and drops the body, which may still hold a reader's place or an open file.
    if (context.req.method === "HEAD") await response.body?.cancel();
    // Without this, Hono would add the headers of the replaced response.
    context.res = undefined;
    context.res = response;
  });
  addReads(app, ports);
  addControl(app, ports);
  addStreams(app, ports);
  addSweepPage(app, ports);
  addPage(app, ports);
  app.all("/api/*", (context) => {
    const allowed = methodsOf(app, context.req.path);
    throw allowed.length > 0 ? wrongMethod(context.req, allowed) : notFound(context.req.path);
  });
  return app;
}

/** Returns the methods that the board answers for this path; empty: there is no such path. */
function methodsOf(app: OpenAPIHono, path: string): string[] {
  const routes = app.routes.filter(
    (route) =>
      route.method !== "ALL" &&
      !route.path.includes("*") &&
      new RegExp(`^${route.path.replaceAll(/:\w+(?:\{[^}]*\})?/g, "[^/]+")}$`).test(path),
  );
  const methods = routes.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  return [...new Set(methods)];
}
