export * from "./in-process-queue.ts";
export type * from "./plan-slot.ts";
export type { QueueState, VisitQueue } from "./port.ts";
export * from "./postgres/index.ts";
export type * from "./visit.ts";
