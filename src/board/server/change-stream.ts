import type { ChangeHub, ToldChange } from "./change-hub.ts";

/** How long a browser waits before it comes again. */
const RETRY_MS = 1_000;

/**
 * Server-sent events, made when the reader has taken the one before: a slow reader costs no memory. The last line says that
 * the board is closing; a reader that comes again later misses nothing.
 */
export function changeStream(
  hub: ChangeHub,
  afterSeq: number,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  const left = new AbortController();
  const changes = hub.read(afterSeq, left.signal);
  const encoder = new TextEncoder();
  let hasBegun = false;
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        if (!hasBegun) {
          hasBegun = true;
          controller.enqueue(encoder.encode(`retry: ${RETRY_MS}\n\n`));
          return;
        }
        const next = await changes.next();
        if (next.done !== true) {
          controller.enqueue(encoder.encode(next.value === null ? ": still here\n\n" : textOf(next.value)));
          return;
        }
        if (!left.signal.aborted) controller.enqueue(encoder.encode(": the board is closing\n\n"));
        controller.close();
        onEnd();
      },
      cancel: async () => {
        left.abort(new Error("the reader has gone"));
        await changes.return();
        onEnd();
      },
    },
    { highWaterMark: 0 },
  );
}

/** JSON has no line ends of its own. */
function textOf({ seq, event }: ToldChange): string {
  const id = seq === null ? "" : `id: ${seq}\n`;
  return `${id}event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
