/** Reads facts about a GitHub App itself from GitHub, to examine a fleet. No Triage Batch has this port. */
export interface AppExaminer {
  /** Returns the App as it is registered. Rejects with a GithubErrorCode when GitHub does not accept its key. */
  app(signal: AbortSignal): Promise<AppFacts>;
  /** Returns the permissions that each account has granted the App. Rejects with a GithubErrorCode. */
  grants(signal: AbortSignal): Promise<AppGrant[]>;
  /** Returns the URL to which GitHub sends the App's webhooks; null: none is registered. Rejects with a GithubErrorCode. */
  webhookUrl(signal: AbortSignal): Promise<string | null>;
  /** Returns the newest deliveries of the App's webhook, at most 100, the newest first. Rejects with a GithubErrorCode. */
  deliveries(signal: AbortSignal): Promise<WebhookDelivery[]>;
}

/** Access levels such as `read`, keyed by the permission's name in GitHub's API: `issues`, `pull_requests`. */
export type AppPermissions = Readonly<Record<string, string>>;

export interface AppFacts {
  slug: string;
  permissions: AppPermissions;
  /** Names of webhook events that the App asks for. */
  events: readonly string[];
  /** GitHub's clock in milliseconds since the Unix epoch, to the second; null when GitHub does not send it. */
  serverTimeMs: number | null;
}

export interface AppGrant {
  account: string;
  permissions: AppPermissions;
  events: readonly string[];
  isSuspended: boolean;
}

export interface WebhookDelivery {
  event: string;
  deliveredAtMs: number;
  /** The HTTP status of the answer; 0: there was no answer. */
  statusCode: number;
  /** GitHub's description of the result, e.g. `OK` or `timed out`. */
  status: string;
}
