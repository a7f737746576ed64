/** One server-sent event. */
export interface StreamEvent {
  id: string | null;
  data: string;
}

/** Yields the events of a response body as they arrive, and calls `onLife` whenever data arrives. Ends when the stream ends. */
export async function* streamEvents(
  body: ReadableStream<Uint8Array>,
  onLife: () => void,
): AsyncGenerator<StreamEvent> {
  const reader = body.pipeThrough(new TextDecoderStream() as unknown as Decoding).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onLife();
      const blocks = `${rest}${value}`.replaceAll("\r\n", "\n").split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) yield* eventOf(block);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

type Decoding = ReadableWritablePair<string, Uint8Array>;

/** Returns the event in a block of the stream. Comments (heartbeats) and blocks without data are not events. */
function eventOf(block: string): StreamEvent[] {
  let id: string | null = null;
  const data: string[] = [];
  for (const line of block.split("\n")) {
    const [, field, value = ""] = /^(\w+):? ?(.*)$/s.exec(line) ?? [];
    if (field === "id") id = value;
    if (field === "data") data.push(value);
  }
  return data.length === 0 ? [] : [{ id, data: data.join("\n") }];
}
