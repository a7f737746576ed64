/** The limits on the output of a Session that is sent or held at once. */
export interface SourceLimits {
  /** Output up to this size is sent from the start, with its history; above it, only the current screen is sent. */
  wholeBytes: number;
  /** A reader that is this much output behind gets the current screen instead. */
  behindBytes: number;
  /** The maximum size of one recording's document in base64, which is in memory as a whole, here and in the page. */
  recordingCharacters: number;
  recordingFrames: number;
  /** The maximum size of a part of a longer recording, in base64 characters and in frames. */
  windowCharacters: number;
  windowFrames: number;
  /** The maximum number of hits in one answer of a search in a recording, and of bytes of output that are read for it. */
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
