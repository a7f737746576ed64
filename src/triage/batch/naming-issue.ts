import type { IssueRef } from "../../github/index.ts";
import type { BatchEvent } from "./batch-event.ts";
import type { WorkContext } from "./batch-work.ts";

/**
 * Returns the context with an observer that names the issue in every warning, because several Triage Runs are in progress at a
 * time.
 */
export function namingIssue(ref: IssueRef, context: WorkContext): WorkContext {
  const { observe } = context.ports;
  const ports = {
    ...context.ports,
    observe: (event: BatchEvent) => observe(event.type === "warning" ? { ref, ...event } : event),
  };
  return { ...context, ports };
}
