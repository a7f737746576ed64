/** The questions to GitHub about a GitHub App itself, for examining a fleet. No Triage Batch has this port. */
export interface AppExaminer {
  /** The App as it is registered. Rejects with a GithubErrorCode when GitHub does not take its key. */
  app(signal: AbortSignal): Promise<AppFacts>;
  /** The permissions that each account has granted the App. Rejects with a GithubErrorCode. */
  grants(signal: AbortSignal): Promise<AppGrant[]>;
  /** The address that GitHub sends the App's webhooks to; null: none is registered. Rejects with a GithubErrorCode. */
  webhookUrl(signal: AbortSignal): Promise<string | null>;
  /** The newest deliveries of the App's webhook, at most 100, the newest first. Rejects with a GithubErrorCode. */
  deliveries(signal: AbortSignal): Promise<WebhookDelivery[]>;
}

/** `read` and so on by the name of a repository permission, as GitHub's API names it: `issues`, `pull_requests`. */
export type AppPermissions = Readonly<Record<string, string>>;

export interface AppFacts {
  slug: string;
  permissions: AppPermissions;
  /** Names of webhook events that the App asks for. */
  events: readonly string[];
  /** GitHub's clock in milliseconds since the Unix epoch, to the second; null when it does not say. */
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
  /** The HTTP status of the answer; 0: there was none. */
  statusCode: number;
  /** GitHub's word for how it ended, e.g. `OK` or `timed out`. */
  status: string;
}
