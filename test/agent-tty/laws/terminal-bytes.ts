import * as fc from "fast-check";

const SEQUENCES = [
  ..."\r\n|\r|\n|\b|\t|\x07|\x0e|\x0f".split("|"),
  ..."\x1b[2J|\x1b[H|\x1b[K|\x1b[1K|\x1b[J|\x1b[3L|\x1b[2M|\x1b[4@|\x1b[3P|\x1b[5X|\x1b[2S|\x1b[T|\x1b[3b".split(
    "|",
  ),
  ..."\x1b[5;5H|\x1b[3A|\x1b[99B|\x1b[2C|\x1b[4D|\x1b7|\x1b8|\x1b[s|\x1b[u|\x1bM|\x1bD|\x1bE|\x1bH|\x1b[3g".split(
    "|",
  ),
  ..."\x1b[31m|\x1b[1;4:3;58:5:9m|\x1b[38;2;1;2;3m|\x1b[48;5;99m|\x1b[7m|\x1b[0m".split("|"),
  ..."\x1b[?1049h|\x1b[?1049l|\x1b[?25l|\x1b[?25h|\x1b[?7l|\x1b[?7h|\x1b[?6h|\x1b[?6l|\x1b[2;4r|\x1b[r".split(
    "|",
  ),
  ..."\x1b[4h|\x1b[4l|\x1b[?2026h|\x1b[?2026l|\x1b[?2004h|\x1b[?1h|\x1b[?1002h|\x1b[3 q|\x1b(0|\x1b(B|\x1b#8".split(
    "|",
  ),
  ..."\x1b]0;title\x07|\x1b]8;;http://x.test\x1b\\|\x1b]8;;\x1b\\|\x1bP$qm\x1b\\|\x1b]52;c;eA==\x07|\x1bc|\x1b[!p".split(
    "|",
  ),
];

/** Typical output of programs: text of all widths, control sequences, and incomplete sequences. */
export const terminalBytes = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...SEQUENCES).map((text) => Buffer.from(text)) },
      {
        weight: 2,
        arbitrary: fc.string({ unit: "grapheme", maxLength: 12 }).map((text) => Buffer.from(text)),
      },
      {
        weight: 2,
        arbitrary: fc
          .constantFrom("日本語", "e\u0301", "🙂", "👩‍👩‍👧", "🇩🇪", "❤️", "한")
          .map((text) => Buffer.from(text)),
      },
      {
        weight: 1,
        arbitrary: fc
          .constantFrom("\x1b", "\x1b[", "\x1b[3", "\x1b]0;x", "\x1bP")
          .map((text) => Buffer.from(text)),
      },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes)) },
    ),
    { maxLength: 40 },
  )
  .map((pieces) => Buffer.concat(pieces));

export const cuts = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 60 });

export function cutInto(bytes: Buffer, lengths: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  let from = 0;
  for (const length of lengths) {
    chunks.push(bytes.subarray(from, from + length));
    from += length;
  }
  return [...chunks, bytes.subarray(from)].filter((chunk) => chunk.byteLength > 0);
}
