import type { RepositoryName } from "../../github/index.ts";
import type { BatchContext } from "../../triage/index.ts";
import type { SweepSettings } from "../settings.ts";

/** The publication with which a sweep closes an issue. A verdict implies no role, so labels stay unchanged. */
export const CLOSE = { state: null, category: null, labels: "leave", close: "completed" } as const;

/**
 * Returns whether a sweep closes issues of the repository: `sweep.close` is on, and the level of autonomy of closes is `apply`. At
 * any other level an announced close would not be performed (W3, E4).
 */
export function mayClose(
  repo: RepositoryName,
  { trust }: { trust: Pick<BatchContext["trust"], "levelOf"> },
  { closes }: Pick<SweepSettings, "closes">,
): boolean {
  return closes && trust.levelOf(repo, CLOSE) === "apply";
}
