import { parentPort } from "node:worker_threads";
import { messageOf } from "agent-tty/kit";
import { createCanaryDetector } from "../canary-detector.ts";
import type { CleaningAnswer, CleaningOrder } from "./messages.ts";
import { workOnSession } from "./session-files.ts";

// The program of a cleaning thread. It takes one order at a time from the parent's thread and sends the answer back.
const canaries = createCanaryDetector([]);
let inHand: AbortController | null = null;

parentPort?.on("message", (order: CleaningOrder) => {
  if (order.type === "cancel") inHand?.abort();
  else void work(order).then((answer) => parentPort?.postMessage(answer, []));
});

async function work(order: Extract<CleaningOrder, { type: "work" }>): Promise<CleaningAnswer> {
  for (const secret of order.secrets) canaries.watch(secret);
  const controller = new AbortController();
  inHand = controller;
  try {
    const hit = await workOnSession(order.directory, canaries, order.work, controller.signal);
    return { type: "done", hit };
  } catch (error) {
    if (controller.signal.aborted) return { type: "cancelled" };
    const code = (error as NodeJS.ErrnoException).code ?? null;
    return { type: "failed", message: messageOf(error), code };
  } finally {
    inHand = null;
  }
}
