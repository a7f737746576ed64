import type { ChangeHub, ToldChange } from "./change-hub.ts";

/** The time, in milliseconds, after which a browser reconnects. */
const RETRY_MS = 1_000;

/**
 * Encodes changes as server-sent events, each only when the reader has taken the previous one: a slow reader costs no
 * memory. The last line says that the board is closing; a reader that reconnects misses nothing.
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
        left.abort(new Error("the reader has disconnected"));
        await changes.return();
        onEnd();
      },
    },
    { highWaterMark: 0 },
  );
}

/** JSON contains no line breaks. */
function textOf({ seq, event }: ToldChange): string {
  const id = seq === null ? "" : `id: ${seq}\n`;
  return `${id}event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
