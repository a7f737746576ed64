import { z } from "zod";
import type { AppExaminer } from "../app-port.ts";
import { getRequest, PAGE_SIZE, readPages } from "./listing.ts";
import { serverTimeMs } from "./server-time.ts";
import type { Wire, WireAnswer, WireRequest } from "./wire.ts";
import { repositoryMoved, statusOf } from "./wire-errors.ts";

const permissions = z.record(z.string(), z.string());
const appSchema = z.object({ slug: z.string(), permissions, events: z.array(z.string()) });
const grantSchema = z.object({
  account: z.object({ login: z.string() }).nullish(),
  permissions,
  events: z.array(z.string()),
  suspended_at: z.string().nullish(),
});
const hookSchema = z.object({ url: z.string().nullish() });
const deliverySchema = z.object({
  event: z.string(),
  delivered_at: z.iso.datetime({ offset: true }),
  status: z.string(),
  status_code: z.number(),
});

/** Returns the port that reads a GitHub App's registration, grants and webhook deliveries, signed in as the App. */
export function createAppExaminer(wire: Wire): AppExaminer {
  const request = (
    attempted: string,
    path: string,
    parameters: object,
    signal: AbortSignal,
  ): WireRequest => ({
    ...getRequest(attempted, path, parameters, signal),
    as: "app",
  });
  const ask = async (asked: WireRequest): Promise<WireAnswer> => {
    const answer = await wire.send(asked);
    if (answer.status !== 200) throw repositoryMoved(asked.attempted, "");
    return answer;
  };
  return {
    app: async (signal) => {
      const asked = request("read the GitHub App", "/app", {}, signal);
      const answer = await ask(asked);
      return { ...wire.parse(asked, answer, appSchema), serverTimeMs: serverTimeMs(answer.headers) };
    },
    grants: async (signal) => {
      const asked = request("list the installations of the App", "/app/installations", {}, signal);
      const parse = (answer: WireAnswer) => wire.parse(asked, answer, z.array(grantSchema));
      const found = await readPages(wire, asked, parse, (_, error): never => {
        throw error ?? repositoryMoved(asked.attempted, "");
      });
      return found.map(({ account, suspended_at: suspendedAt, permissions: granted, events }) => ({
        permissions: granted,
        events,
        account: account?.login ?? "an enterprise",
        isSuspended: Boolean(suspendedAt),
      }));
    },
    webhookUrl: async (signal) => {
      const asked = request("read the webhook of the App", "/app/hook/config", {}, signal);
      const answer = await ask(asked).catch((error: unknown) => {
        // An App whose webhook is disabled has no webhook configuration.
        if (statusOf(error) === 404) return null;
        throw error;
      });
      if (answer === null) return null;
      const { url } = wire.parse(asked, answer, hookSchema);
      return url === undefined || url === "" ? null : url;
    },
    deliveries: async (signal) => {
      const parameters = { per_page: PAGE_SIZE };
      const asked = request(
        "list the deliveries of the App's webhook",
        "/app/hook/deliveries",
        parameters,
        signal,
      );
      const found = wire.parse(asked, await ask(asked), z.array(deliverySchema));
      return found.map(({ event, status, delivered_at: at, status_code: statusCode }) => ({
        event,
        status,
        statusCode,
        deliveredAtMs: Date.parse(at),
      }));
    },
  };
}
