import type { ChangeHub, ToldChange } from "./change-hub.ts";

/** The time, in milliseconds, after which a browser reconnects. */
const RETRY_MS = 1_000;

export interface StreamPorts {
  onEnd: () => void;
  onFailure: (error: unknown) => void;
}

/**
 * Returns changes as server-sent events, each only when the reader has taken the previous event, so a slow reader costs no memory.
 * The last line says why the stream ends; a reader that reconnects misses nothing.
 */
export function changeStream(
  hub: ChangeHub,
  afterSeq: number,
  { onEnd, onFailure }: StreamPorts,
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
        let why = "the board is closing";
        const next = await changes.next().catch((error: unknown) => {
          why = "the changes cannot be read";
          if (!left.signal.aborted) onFailure(error);
          return { done: true as const };
        });
        if (next.done !== true) {
          controller.enqueue(encoder.encode(next.value === null ? ": still here\n\n" : textOf(next.value)));
          return;
        }
        onEnd();
        if (left.signal.aborted) return;
        controller.enqueue(encoder.encode(`: ${why}\n\n`));
        controller.close();
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

/** Returns the text of one event. JSON contains no line breaks. */
function textOf({ seq, event }: ToldChange): string {
  const id = seq === null ? "" : `id: ${seq}\n`;
  return `${id}event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
