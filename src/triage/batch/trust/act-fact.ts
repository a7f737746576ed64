import { mayTriage, type RepositoryName } from "../../../github/index.ts";
import type { TrustFactOf } from "../../../trust/index.ts";
import type { BatchTrust } from "../batch-trust.ts";
import type { Act } from "./find-acts.ts";

/** Returns the trust fact for an act; null: the person may not triage, so the act is only an opinion. */
export async function factOf(
  act: Act,
  decided: TrustFactOf<"decided">,
  { trust, stop }: { trust: BatchTrust; stop: AbortSignal },
): Promise<TrustFactOf<"overridden"> | TrustFactOf<"endorsed"> | null> {
  const repo = decided.repo as RepositoryName;
  const permission = act.by === null ? ("write" as const) : await trust.permission(repo, act.by, stop);
  if (!mayTriage(permission)) return null;
  const { at, source } = act;
  const atMs = Date.parse(at);
  const by = { id: act.by?.id ?? 0, login: act.by?.login ?? "(not told)", permission };
  const common = {
    key: `${act.type}:${decided.key}:${act.how}:${at}`,
    repo,
    number: decided.number,
    runId: decided.runId,
    atMs,
  };
  const told = { by, source, afterMs: Math.max(0, atMs - decided.atMs) };
  return act.type === "overridden"
    ? { ...common, type: "overridden", detail: { ...told, how: act.how, to: act.to } }
    : { ...common, type: "endorsed", detail: { ...told, how: act.how } };
}
