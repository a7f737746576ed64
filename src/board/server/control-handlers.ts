import type { OpenAPIHono } from "@hono/zod-openapi";
import { bodyLimit } from "hono/body-limit";
import type { AppPorts } from "./app-ports.ts";
import { Refusal } from "./board-error.ts";
import { boardRoutes } from "./board-routes.ts";
import { keyOf, orNotFound } from "./request-refusals.ts";

/** Adds the control requests to the app. */
export function addControl(app: OpenAPIHono, { source, limits }: AppPorts): void {
  const tooLarge = (): never => {
    throw new Refusal(
      "BODY_TOO_LARGE",
      `the request's body is larger than ${limits.bodyBytes} bytes`,
      "Send a shorter text.",
    );
  };
  app.post("/api/runs/*", bodyLimit({ maxSize: limits.bodyBytes, onError: tooLarge }));
  app.post("/api/runs/:id/input", async (context, next) => {
    const type = context.req.header("Content-Type") ?? "none";
    if (!/^application\/json(?:;|$)/i.test(type))
      throw new Refusal(
        "BODY_NOT_JSON",
        `the request's body is ${JSON.stringify(type.slice(0, 100))}`,
        'Send `Content-Type: application/json` and {"text": "…"}.',
      );
    await next();
  });
  app.openapi(boardRoutes.input, async (context) => {
    const [key, { text }] = [keyOf(context.req.valid("param")), context.req.valid("json")];
    return context.json(orNotFound(await source.send(key, text, context.req.raw.signal), context), 200);
  });
  for (const how of ["stop", "kill"] as const) {
    app.openapi(boardRoutes[how], async (context) => {
      const key = keyOf(context.req.valid("param"));
      return context.json(orNotFound(await source.stop(key, how, context.req.raw.signal), context), 200);
    });
  }
}
