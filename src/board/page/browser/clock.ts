/** Time as the page's modules get it, so that tests need no real one. */
export interface PageClock {
  nowMs(): number;
  /** Runs `action` once; gives what takes it back. */
  schedule(durationMs: number, action: () => void): () => void;
}

export const browserClock: PageClock = {
  nowMs: () => Date.now(),
  schedule: (durationMs, action) => {
    const timer = window.setTimeout(action, durationMs);
    return () => window.clearTimeout(timer);
  },
};
