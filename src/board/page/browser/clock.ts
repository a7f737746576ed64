/** The clock of the page's modules, injected so that tests need no real time. */
export interface PageClock {
  nowMs(): number;
  /** Runs `action` once after `durationMs`; returns a canceller. */
  schedule(durationMs: number, action: () => void): () => void;
}

export const browserClock: PageClock = {
  nowMs: () => Date.now(),
  schedule: (durationMs, action) => {
    const timer = window.setTimeout(action, durationMs);
    return () => window.clearTimeout(timer);
  },
};
