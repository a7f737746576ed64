import type { WebhookDelivery } from "../../github/index.ts";
import { type DoctorCheck, failed, ok, warn } from "../doctor-check.ts";

export interface WebhookFacts {
  /** null: no webhook is registered. */
  url: string | null;
  /** Newest first. */
  deliveries: readonly WebhookDelivery[];
  /** Whether AFK_TRIAGE_WEBHOOK_SECRET is set here. */
  hasSecret: boolean;
}

/** The maximum number of kinds of failures that a message names. */
const NAMED = 3;

/** Returns whether GitHub's deliveries arrive, judged by the statuses of the newest ones, as a check. Pure. */
export function judgeFleetWebhook({ url, deliveries, hasSecret }: WebhookFacts): DoctorCheck {
  if (url === null)
    return warn(
      "fleet-webhook",
      "the App has no webhook: issues are found only by polling",
      "Register https://HOST/webhooks with a secret in the settings of the App, and start with --webhook-port.",
    );
  if (!hasSecret)
    return failed(
      "fleet-webhook",
      `the App sends webhooks to ${url}, and AFK_TRIAGE_WEBHOOK_SECRET is not set here`,
      "Set it to the webhook secret of the App.",
    );
  const [newest] = deliveries;
  if (newest === undefined)
    return warn(
      "fleet-webhook",
      `GitHub has delivered nothing to ${url} lately`,
      "Comment on an issue of a followed repository and run doctor again, or redeliver a webhook in the settings of the App.",
    );
  const lost = deliveries.filter(({ statusCode }) => statusCode < 200 || statusCode > 299);
  if (lost.length === 0)
    return ok("fleet-webhook", `the last ${deliveries.length} deliveries to ${url} arrived`);
  const message = `${lost.length} of the last ${deliveries.length} deliveries to ${url} failed: ${kindsOf(lost)}`;
  // A delivery that arrived after the failures shows that the cause is gone.
  const isOver = !lost.includes(newest);
  return isOver
    ? warn("fleet-webhook", `${message}; the newest arrived`, remedyOf(lost))
    : failed("fleet-webhook", message, remedyOf(lost));
}

function kindsOf(lost: readonly WebhookDelivery[]): string {
  const counts = new Map<string, number>();
  for (const { statusCode, status } of lost) {
    const kind = statusCode === 0 ? status : `${statusCode} ${status}`;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const kinds = [...counts].toSorted(([, one], [, other]) => other - one).slice(0, NAMED);
  return kinds.map(([kind, count]) => `${count} × ${kind}`).join(", ");
}

function remedyOf(lost: readonly WebhookDelivery[]): string {
  const isRefused = lost.some(({ statusCode }) => statusCode === 401);
  return isRefused
    ? "Set AFK_TRIAGE_WEBHOOK_SECRET to the App's secret: 401 is the answer to a wrong signature."
    : "Check that a worker runs with --webhook-port, and everything between it and GitHub: host name, TLS, proxy, firewall.";
}
