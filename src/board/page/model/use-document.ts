import { useLayoutEffect, useState } from "preact/hooks";
import { type Failure, failureOf } from "../data/index.ts";

export type Reading<Document> =
  | { type: "reading" }
  | { type: "read"; document: Document }
  | { type: "failed"; failure: Failure };

/**
 * Returns the state of reading a document, which is read when `key` or `revision` changes. A document of another key is never
 * shown; a document of the same key stays until the next one has been read.
 */
export function useDocument<Document>(
  key: string,
  read: (signal: AbortSignal) => Promise<Document>,
  revision: unknown = null,
): Reading<Document> {
  const [state, setState] = useState<{ key: string; reading: Reading<Document> }>({
    key,
    reading: { type: "reading" },
  });
  // A layout effect, because it runs before the next frame is drawn: a chain of documents would otherwise wait one frame for each
  // document.
  useLayoutEffect(() => {
    const stop = new AbortController();
    const show = (reading: Reading<Document>): void => {
      if (!stop.signal.aborted) setState({ key, reading });
    };
    read(stop.signal).then(
      (document) => show({ type: "read", document }),
      (error: unknown) => show({ type: "failed", failure: failureOf(error) }),
    );
    return () => stop.abort();
    // `read` is a new function in every render, so only `key` and `revision` show that another document is needed.
  }, [key, revision]);
  return state.key === key ? state.reading : { type: "reading" };
}
