import { createHmac } from "node:crypto";
import type { SignedRequest } from "../../../src/fleet/index.ts";

export const SECRET = "a secret of the fleet's webhook";

export interface SentDelivery {
  guid: string;
  event: string;
  payload: unknown;
}

/** Returns a delivery as GitHub sends it, signed with `secret`. */
export function signed({ guid, event, payload }: SentDelivery, secret = SECRET): SignedRequest {
  const body = Buffer.from(JSON.stringify(payload));
  return {
    body,
    headers: {
      "content-type": "application/json",
      "x-github-event": event,
      "x-github-delivery": guid,
      "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
    },
  };
}

export const REPORTER = { id: 7, login: "reporter", type: "User" };
export const repositoryOf = (id: number, name = `octo/r${id}`) => ({
  id,
  full_name: name,
  updated_at: "2026-01-01T00:00:00Z",
});

export function issueOpened(guid: string, repositoryId: number, number: number): SentDelivery {
  return {
    guid,
    event: "issues",
    payload: {
      action: "opened",
      sender: REPORTER,
      repository: repositoryOf(repositoryId),
      issue: { number, title: "It crashes", body: "On start.", labels: [{ name: "bug" }], user: REPORTER },
    },
  };
}
