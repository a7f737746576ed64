import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { AppPorts } from "./app-ports.ts";
import { Refusal } from "./board-error.ts";
import { boardRoutes } from "./board-routes.ts";
import { keyOf, orNotFound } from "./request-refusals.ts";

export function addControl(app: OpenAPIHono, { source, limits }: AppPorts): void {
  app.post("/api/runs/*", async (context, next) => {
    await readBody(context, limits.bodyBytes);
    await next();
  });
  for (const [path, example] of [
    ["input", '{"text": "…"}'],
    ["answer", '{"dialog": …, "choice": 0}'],
  ] as const)
    app.post(`/api/runs/:id/${path}`, async (context, next) => {
      const type = context.req.header("Content-Type") ?? "none";
      if (!/^application\/json(?:;|$)/i.test(type))
        throw new Refusal(
          "BODY_NOT_JSON",
          `the request's body is ${JSON.stringify(type.slice(0, 100))}`,
          `Send \`Content-Type: application/json\` and ${example}.`,
        );
      await next();
    });
  app.openapi(boardRoutes.input, async (context) => {
    const [key, { text }] = [keyOf(context.req.valid("param")), context.req.valid("json")];
    return context.json(orNotFound(await source.send(key, text, context.req.raw.signal), context), 200);
  });
  app.openapi(boardRoutes.answer, async (context) => {
    const [key, answer] = [keyOf(context.req.valid("param")), context.req.valid("json")];
    return context.json(
      orNotFound(await source.answerDialog(key, answer, context.req.raw.signal), context),
      200,
    );
  });
  for (const how of ["stop", "kill"] as const) {
    app.openapi(boardRoutes[how], async (context) => {
      const key = keyOf(context.req.valid("param"));
      return context.json(orNotFound(await source.stop(key, how, context.req.raw.signal), context), 200);
    });
  }
  for (const [route, command] of [
    ["verify", "verify"],
    ["rerun", "run"],
  ] as const)
    app.openapi(boardRoutes[route], async (context) => {
      const key = keyOf(context.req.valid("param"));
      return context.json(orNotFound(await source.startFollowUp(key, command), context), 200);
    });
}

/**
 * Reads the body with any framing, at most `maxBytes` of it, so that later readers get it from memory. Hono's own limit is not
 * used, because it copies the request into a new Request, which fails for the server's requests (B4).
 */
async function readBody({ req }: Context, maxBytes: number): Promise<void> {
  const refuseAbove = (sizeBytes: number): void => {
    if (sizeBytes > maxBytes)
      throw new Refusal(
        "BODY_TOO_LARGE",
        `the request's body is larger than ${maxBytes} bytes`,
        "Send a shorter text.",
      );
  };
  refuseAbove(Number(req.header("Content-Length") ?? 0));
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  const reader = req.raw.body?.getReader();
  for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read()) {
    pieces.push(piece.value);
    sizeBytes += piece.value.byteLength;
    refuseAbove(sizeBytes);
  }
  // Hono's type declares the resolved value instead of the promise.
  req.bodyCache.text = Promise.resolve(Buffer.concat(pieces).toString("utf8")) as unknown as string;
}
