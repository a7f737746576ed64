/** Ways to decode a text, each of which removes one kind of disguise. They are independent of the program's own decoders. */
const STEPS: readonly ((text: string) => string)[] = [
  (text) => text.replaceAll(/\x1b(?:\[[0-9;?]*[A-Za-z]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][A-Z0-9])/g, ""),
  (text) => text.replaceAll(/[\u{ad}\u{200b}-\u{200f}\u{2060}-\u{2064}\u{feff}]|\xe2\x80\x8b|\xc2\xad/gu, ""),
  (text) =>
    text.replaceAll(/&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/gi, (_, hex?: string, decimal?: string) =>
      character(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
    ),
  (text) => text.replaceAll("&lowbar;", "_").replaceAll("&amp;", "&"),
  (text) => text.replaceAll(/%([0-7][0-9a-f])/gi, (_, hex: string) => character(Number.parseInt(hex, 16))),
  (text) =>
    text.replaceAll(/\\u([0-9a-f]{4})|\\x([0-9a-f]{2})/gi, (_, long?: string, short?: string) =>
      character(Number.parseInt(long ?? short ?? "", 16)),
    ),
  (text) => text.replaceAll(/\\([^\w\s])/g, "$1"),
  (text) => text.normalize("NFKC"),
];
const MARKUP = [/<[^<>]{0,300}>/g, /\]\([^()\s]{0,200}\)/g, /[*`~[\]]/g];

/**
 * Returns the text unchanged, with each disguise removed separately, with all of them removed three times over, and then without
 * markup.
 */
export function readings(text: string): string[] {
  let whole = text;
  for (let layer = 0; layer < 3; layer += 1) whole = STEPS.reduce((rest, step) => step(rest), whole);
  const shown = MARKUP.reduce((rest, pattern) => rest.replaceAll(pattern, ""), whole);
  return [...new Set([text, ...STEPS.map((step) => step(text)), whole, shown])];
}

function character(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
}
