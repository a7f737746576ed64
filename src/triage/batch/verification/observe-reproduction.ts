import { type Observation, observeScript, PRISTINE } from "../../../evidence/index.ts";
import { cleanLater } from "../evidence/index.ts";
import { REPEATS, type RunInHand } from "../run-in-hand.ts";
import { applyCheckout, checkoutSource, type CheckoutStep, planCheckout } from "../session/index.ts";
import { placeIn } from "./hold-place.ts";

/**
 * Runs an unverified script once on the reported version and once on the default branch, in the Coder workspace that is the lock,
 * where no Triage Agent was. Rejects with WORKSPACE_LOST.
 */
export async function observeReproduction(
  script: string,
  run: RunInHand,
  attempt: number,
): Promise<Observation[]> {
  const { fresh, ready, context, patience, record } = run;
  const { ref, title, body } = fresh.issue;
  const { settings } = context;
  record.phase("verifying", "how the reported script ends");
  const source = await checkoutSource(ref, ready, context, patience.signal);
  const place = placeIn(ref, "fresh", ready, context, (attempt + 1) * REPEATS - 1);
  const session = await place.openSession(patience.signal);
  const leave: CheckoutStep = { commandLine: "cd ..", failure: "CHECKOUT_FAILED" };
  try {
    const steps = [...planCheckout(source, PRISTINE), leave];
    await applyCheckout(steps, session, { ...patience, workspace: ready });
    const request = {
      script,
      setup: source.settings.setup,
      timeoutMs: settings.reproduction.timeoutMs,
      texts: [`${title}\n${body}`],
      productNames: [ref.repo, ref.repo.slice(ref.repo.indexOf("/") + 1)],
    };
    return await record.timed("verifyMs", () =>
      observeScript(request, { workspace: ready, directory: place.directory, ...patience }),
    );
  } finally {
    await session.destroy();
    cleanLater(session, "the output of the reported script", run, () => Promise.resolve());
  }
}
