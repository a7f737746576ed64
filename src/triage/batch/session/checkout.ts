import type { Session } from "agent-tty";
import { OperationalError, shellQuote } from "agent-tty/kit";
import { deepenCommand } from "../../../evidence/index.ts";
import type { ReadyWorkspace } from "../../../workspaces/index.ts";
import type { CheckoutSettings } from "../settings.ts";
import { connectionLost, isConnectionLoss } from "./connection-loss.ts";
import type { TriageErrorCode } from "../triage-error.ts";

/** The maximum number of screen lines in the message of a failure. */
const SHOWN_LINES = 15;

/** One Waited Run of the preparation. */
export interface CheckoutStep {
  commandLine: string;
  failure: TriageErrorCode;
}

/** The source of git's clone inside the Coder workspace: a URL, or the path of a bundle that the parent has put there. */
export interface CheckoutSource {
  cloneFrom: string;
  settings: CheckoutSettings;
}

/**
 * Plans clone, ref and set-up. After them, the shell is inside the checkout. `directory` is a name below the Session's own
 * directory, so that a recording shows short commands.
 */
export function planCheckout(source: CheckoutSource, directory: string): CheckoutStep[] {
  const { ref, setup, strategy } = source.settings;
  const depth = strategy === "shallow" ? "--depth 1 " : "";
  const lines = [
    // A verification copies the checkout for each run. Without a template it has 16 files fewer, and none of the machine's hooks.
    `git clone --quiet --no-local --template= ${depth}${shellQuote(source.cloneFrom)} ${shellQuote(directory)}`,
    `cd ${shellQuote(directory)}`,
    ...(ref === null ? [] : [strategy === "shallow" ? checkoutOfShallow(ref) : checkoutOf(ref)]),
  ];
  return planSteps(lines, setup);
}

/**
 * Plans a copy of the unchanged checkout at `from`, moved to a commit that it contains. After the steps, the shell is inside the
 * copy.
 */
export function planCopy(
  { from, commit, setup }: { from: string; commit: string; setup: readonly string[] },
  directory: string,
): CheckoutStep[] {
  const lines = [
    `cp -a ${shellQuote(from)} ${shellQuote(directory)}`,
    `cd ${shellQuote(directory)}`,
    `git checkout --quiet --force --detach ${shellQuote(commit)} && git clean -ffdxq`,
  ];
  return planSteps(lines, setup);
}

function planSteps(lines: readonly string[], setup: readonly string[]): CheckoutStep[] {
  return [
    ...lines.map((commandLine): CheckoutStep => ({ commandLine, failure: "CHECKOUT_FAILED" })),
    ...setup.map((commandLine): CheckoutStep => ({ commandLine, failure: "CHECKOUT_SETUP_FAILED" })),
  ];
}

/**
 * Returns the command that checks out `ref` in a full clone. In a new clone, a branch other than the default one is a remote
 * branch, which `git checkout --detach` does not find by its name alone. If no commit is found, git gets the name as it is, with
 * `--`, so that its error is about the ref and not about a path.
 */
function checkoutOf(ref: string): string {
  const commitOf = (name: string): string =>
    `git rev-parse --verify --quiet ${shellQuote(`${name}^{commit}`)}`;
  const found = `${commitOf(ref)} || ${commitOf(`origin/${ref}`)} || echo ${shellQuote(ref)}`;
  return `git checkout --quiet --detach "$(${found})" --`;
}

/**
 * Returns the command that checks out `ref` in a shallow clone. A server may refuse to send a commit by its hash alone, or not
 * know a shortened hash. The whole history is then fetched to find the commit.
 */
function checkoutOfShallow(ref: string): string {
  const newest = `git fetch --quiet --depth 1 origin ${shellQuote(ref)} && git checkout --quiet --detach FETCH_HEAD`;
  return `{ ${newest}; } 2>/dev/null || { ${deepenCommand} && ${checkoutOf(ref)}; }`;
}

/**
 * Runs the steps one by one in the Session; the first that fails ends the preparation with its code. Rejects with
 * WORKSPACE_LOST when the connection was lost.
 */
export async function applyCheckout(
  steps: readonly CheckoutStep[],
  session: Session,
  options: {
    workspace: Pick<ReadyWorkspace, "connection">;
    remainingMs: () => number;
    signal: AbortSignal;
    /** Called for each step before it runs. */
    onStep?: (step: CheckoutStep) => void;
  },
): Promise<void> {
  for (const step of steps) {
    options.onStep?.(step);
    const result = await session.run(step.commandLine, {
      callerTimeoutMs: options.remainingMs(),
      signal: options.signal,
    });
    if (result.type === "completed" && result.exitCode === 0) continue;
    if (result.type === "interrupted" && isConnectionLoss(options.workspace, result.exit))
      throw connectionLost(step.commandLine);
    const seen =
      result.type === "completed"
        ? `exit code ${result.exitCode}`
        : result.type === "timed-out"
          ? "no end before the run deadline"
          : "the Session ended";
    // The message shows the screen rather than the output, because a spinner's frames would fill it.
    const { visibleLines } = await session.snapshot();
    const shown = visibleLines.join("\n").trim().split("\n").slice(-SHOWN_LINES).join("\n");
    throw new OperationalError<TriageErrorCode>({
      code: step.failure,
      message: `prepare the checkout with \`${step.commandLine}\`: ${seen}. The screen showed:\n${shown}`,
      remedy:
        step.failure === "CHECKOUT_SETUP_FAILED"
          ? "Correct checkout.setup in the config file, or put what it needs into the Coder workspace template."
          : "Check checkout.url and checkout.ref; for a private repository use checkout.strategy: bundle.",
    });
  }
}
