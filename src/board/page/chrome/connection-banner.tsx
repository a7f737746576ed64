import type { JSX } from "preact";
import type { BoardModel } from "../model/index.ts";

/** Renders a warning that the data may be out of date; renders nothing while the connection works. */
export function ConnectionBanner({ model }: { model: BoardModel }): JSX.Element | null {
  const connection = model.connection.value;
  if (connection.type === "refused") {
    // The sign-in page already says so.
    if (model.signedOut.value !== null) return null;
    return (
      <div class="banner tone-bad" role="alert">
        <strong>{connection.failure.message}</strong> {connection.failure.remedy}
      </div>
    );
  }
  if (connection.type !== "lost") return null;
  const seconds = Math.max(0, Math.ceil((connection.retryAtMs - model.nowMs.value) / 1_000));
  return (
    <div class="banner tone-warn">
      <span>
        <strong>{connection.failure?.message ?? "Connection lost."}</strong> {connection.failure?.remedy} What
        you see may be old. Next attempt in {seconds} s.
      </span>
      <button type="button" class="button small" onClick={connection.retryNow}>
        Try now
      </button>
    </div>
  );
}
