/** How much of a Session's output is sent or held at once. */
export interface SourceLimits {
  /** Output up to this size is sent from the start, with its history; above it, only the current screen is sent. */
  wholeBytes: number;
  /** A reader that has this much output before it is told where the terminal is instead. */
  behindBytes: number;
  /** Size of one recording's document in base64: it is in memory as a whole, here and in the page. */
  recordingCharacters: number;
  recordingFrames: number;
  /** Size of a part of a longer recording, in base64 characters and in frames. */
  windowCharacters: number;
  windowFrames: number;
  /** Hits in one answer of a search in a recording, and the output that is read for it, in bytes. */
  searchHits: number;
  searchBytes: number;
}

export const sourceLimits: SourceLimits = {
  wholeBytes: 2 * 1024 * 1024,
  behindBytes: 4 * 1024 * 1024,
  recordingCharacters: 4 * 1024 * 1024,
  recordingFrames: 20_000,
  windowCharacters: 512 * 1024,
  windowFrames: 4_000,
  searchHits: 100,
  searchBytes: 32 * 1024 * 1024,
};
