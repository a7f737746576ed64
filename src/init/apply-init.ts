import type { LabelRegistry } from "../github/index.ts";
import type { InitPlan } from "./plan-init.ts";

export interface InitPorts {
  labels: LabelRegistry;
  /** The whole file or nothing. */
  writeFile(path: string, text: string): Promise<void>;
  observe(line: string): void;
}

/**
 * Labels first: what the network refuses leaves the files alone. Each step is whole by itself and done when it is there already,
 * so that the same command finishes what a stop cut off. Rejects with the signal's reason, or as the ports do.
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
