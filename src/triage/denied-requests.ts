/**
 * Network requests of the Triage Agent that an Agent Firewall denied. They show what the Triage Agent or the code under triage
 * tried to reach. They prove nothing, because the log is in the Coder workspace.
 */
export interface DeniedRequests {
  count: number;
  /** The hosts, the most often denied one first; at most ten. Untrusted text. */
  hosts: readonly string[];
}

const MOST_HOSTS = 10;
const HOST = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?(?::\d{1,5})?$/i;

/**
 * Returns the requests that the log of an Agent Firewall shows as denied. Pure. The log has lines of `key=value` with `msg=DENY`,
 * `method`, `url` and `host`; other lines are ignored. null: nothing was denied.
 */
export function readDeniedRequests(log: string): DeniedRequests | null {
  const counts = new Map<string, number>();
  let count = 0;
  for (const line of log.split("\n")) {
    if (!/(?:^|\s)msg="?DENY"?(?:\s|$)/.test(line)) continue;
    count += 1;
    const host = hostOf(line);
    if (host !== null) counts.set(host, (counts.get(host) ?? 0) + 1);
  }
  const hosts = [...counts].toSorted(([, a], [, b]) => b - a).map(([host]) => host);
  return count === 0 ? null : { count, hosts: hosts.slice(0, MOST_HOSTS) };
}

function hostOf(line: string): string | null {
  const value = (key: string): string =>
    new RegExp(`(?:^|\\s)${key}="?([^\\s"]{1,2000})`).exec(line)?.[1] ?? "";
  const address = value("url");
  const host = value("host") || (URL.canParse(address) ? new URL(address).host : "");
  return HOST.test(host) ? host.toLowerCase() : null;
}

/**
 * Returns the denied requests with the larger of the two counts. Pure. The log in the Coder workspace can be shortened, so the
 * count of the deployment may be higher.
 */
export function joinDenied(logged: DeniedRequests | null, counted: number): DeniedRequests | null {
  const count = Math.max(logged?.count ?? 0, counted);
  return count === 0 ? null : { count, hosts: logged?.hosts ?? [] };
}
