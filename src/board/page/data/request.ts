import type { FailureDocument } from "../../api/index.ts";
import { REQUEST, takeEarly } from "../start/index.ts";
import { BoardFailure, type Failure } from "./board-data.ts";
import { parseShown } from "./visible-text.ts";

/** Returns a JSON document from the board, with bidi controls made visible. Rejects with a BoardFailure. */
export async function request<Document>(path: string, init: RequestInit): Promise<Document> {
  return parseShown(await requestText(path, init)) as Document;
}

/**
 * Returns a JSON document from the board, unchanged, because parts of it are sent back to the server. Rejects with a BoardFailure.
 */
export async function requestExact<Document>(path: string, init: RequestInit): Promise<Document> {
  return JSON.parse(await requestText(path, init)) as Document;
}

/** Returns a text from the board. Rejects with a BoardFailure. */
export async function requestText(path: string, init: RequestInit): Promise<string> {
  const response = await answerOf(path, init);
  if (!response.ok) throw new BoardFailure(await refusalOf(response));
  return response.text();
}

/** Returns the board's response. Rejects with a BoardFailure when the board does not answer. */
export async function answerOf(path: string, init: RequestInit): Promise<Response> {
  try {
    return await (takeEarly(path) ?? fetch(path, { ...init, ...REQUEST }));
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    throw new BoardFailure({
      code: "BOARD_UNREACHABLE",
      message: "The board does not answer.",
      remedy: "Check that `afk-triage serve` is still running. This page reconnects automatically.",
    });
  }
}

/** Returns the failure of a refused request. */
export async function refusalOf(response: Response): Promise<Failure> {
  const document = (await response.json().catch(() => null)) as Partial<FailureDocument> | null;
  const retryAfterMs = Number(response.headers.get("Retry-After") ?? 0) * 1_000;
  const { status } = response;
  if (document?.error !== undefined)
    return { ...document.error, status, ...(retryAfterMs > 0 ? { retryAfterMs } : {}) };
  const isSignedOut = status === 401 || status === 403;
  return {
    status,
    code: `HTTP_${status}`,
    message: isSignedOut ? "This browser is not signed in." : `The board answered ${status}.`,
    remedy: isSignedOut
      ? "Open the address that `afk-triage serve` printed."
      : "Look at the stderr of `afk-triage serve`.",
  };
}
