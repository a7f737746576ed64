/** How much of a Session's output is sent or held at once. */
export interface SourceLimits {
  /** So much output is sent from the start, which shows everything as it was; of more, the screen as it is. */
  wholeBytes: number;
  /** A reader that has this much output before it is told where the terminal is instead. */
  behindBytes: number;
  /** Size of one recording's document in base64: it is in memory as a whole, here and in the page. */
  recordingCharacters: number;
  recordingFrames: number;
}

export const sourceLimits: SourceLimits = {
  wholeBytes: 2 * 1024 * 1024,
  behindBytes: 4 * 1024 * 1024,
  recordingCharacters: 12 * 1024 * 1024,
  recordingFrames: 100_000,
};
