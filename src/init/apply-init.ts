import type { LabelRegistry } from "../github/index.ts";
import type { InitPlan } from "./plan-init.ts";

export interface InitPorts {
  labels: LabelRegistry;
  /** Writes the whole file or nothing. */
  writeFile(path: string, text: string): Promise<void>;
  observe(line: string): void;
}

/**
 * Applies the plan. Labels come first, so that a network failure leaves the files unchanged. Each step is complete in itself and
 * is skipped if it is already done, so that the same command completes an interrupted run. Rejects with the signal's reason, or
 * with an error of the ports.
 */
export async function applyInit(plan: InitPlan, ports: InitPorts, signal: AbortSignal): Promise<void> {
  for (const { action, ...label } of plan.labels) {
    if (action === "keep") continue;
    const done = await ports.labels.create(plan.repo, label, signal);
    ports.observe(`${done === "created" ? "created" : "found"} the label ${label.name}`);
  }
  for (const file of plan.files) {
    signal.throwIfAborted();
    if (file.action === "keep") continue;
    if (file.action === "refuse") throw new Error(`${file.path} differs and was not to be written`);
    await ports.writeFile(file.path, file.text);
    ports.observe(`wrote ${file.path}`);
  }
}
