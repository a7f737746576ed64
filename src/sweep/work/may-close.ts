import type { RepositoryName } from "../../github/index.ts";
import type { BatchContext } from "../../triage/index.ts";
import type { SweepSettings } from "../settings.ts";

/** What a sweep closes an issue with. A verdict implies no role, so labels stay unchanged. */
export const CLOSE = { state: null, category: null, labels: "leave", close: "completed" } as const;

/**
 * Whether a sweep closes issues of the repository: `sweep.close` is on, and the level of autonomy of closes is `apply`. At any other
 * level nothing would follow an announced close (W3, E4).
 */
export function mayClose(
  repo: RepositoryName,
  { trust }: { trust: Pick<BatchContext["trust"], "levelOf"> },
  { closes }: Pick<SweepSettings, "closes">,
): boolean {
  return closes && trust.levelOf(repo, CLOSE) === "apply";
}
