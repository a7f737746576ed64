/** Before a publication that GitHub did not answer is looked at again; doubled each time. In milliseconds. */
const FIRST_DELAY_MS = 3_000;
const MAX_DELAY_MS = 60_000;

/**
 * GitHub's reads lag behind its writes: a comment whose POST was not answered is looked for this long before the POST is
 * repeated.
 */
const SEARCH_MS = 60_000;

/** Pure: the wait after so many failures in a row (from 1), in milliseconds. */
export function outageDelayMs(failures: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** Math.min(Math.max(failures, 1) - 1, 30), MAX_DELAY_MS);
}

/** Whether a comment whose POST was not answered may still appear, counted in the waits between the looks for it. */
export interface CommentSearch {
  /** A POST of the comment begins; the search for it starts anew. */
  begin(): void;
  /** GitHub has answered the POST. */
  end(): void;
  /** True: no POST is without an answer, or its comment was looked for long enough. */
  isOver(): boolean;
  /** Before the next look, in milliseconds; null when there is nothing to look for. The waits of one search come to a minute. */
  nextWaitMs(): number | null;
}

/** The search for a comment whose POST got no answer: `begin` starts its time of SEARCH_MS milliseconds. */
export function createCommentSearch(): CommentSearch {
  let [looks, leftMs] = [0, 0];
  return {
    begin: () => void ([looks, leftMs] = [0, SEARCH_MS]),
    end: () => void (leftMs = 0),
    isOver: () => leftMs === 0,
    nextWaitMs: () => {
      if (leftMs === 0) return null;
      looks += 1;
      const waitMs = Math.min(outageDelayMs(looks), leftMs);
      leftMs -= waitMs;
      return waitMs;
    },
  };
}
