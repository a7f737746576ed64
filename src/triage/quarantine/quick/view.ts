const ESC = 0x1b;
const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;

/** 0: stays; 1: a control character, dropped; 2: begins something longer; 3: not for this quick way. */
const ACTION = Uint8Array.from({ length: 256 }, (_, code) => {
  if (code === ESC || code === CARRIAGE_RETURN) return 2;
  if (code === 0x08 || code > 0x7f) return 3;
  return code === 0x09 || code === LINE_FEED || (code >= 0x20 && code !== 0x7f) ? 0 : 1;
});

/**
 * The result of `plainText` for ASCII terminal output, in one pass: no escape sequences, no control characters, line
 * feeds only. null: the output contains something that only `plainText` itself handles.
 */
export function quickView(bytes: Uint8Array): Uint8Array | null {
  const view = new Uint8Array(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    const action = ACTION[byte] as number;
    if (action === 0) {
      view[length] = byte;
      length += 1;
    } else if (action === 3) {
      return null;
    } else if (byte === CARRIAGE_RETURN) {
      view[length] = LINE_FEED;
      length += 1;
      if (bytes[at + 1] === LINE_FEED) at += 1;
    } else if (byte === ESC) {
      const end = endOfEscape(bytes, at);
      if (end === null) return null;
      at = end - 1;
    }
  }
  const made = Buffer.from(view.buffer, 0, length);
  // A space is put into what a GitHub Actions runner would take as a command.
  return made.includes("::") || made.includes("##[") ? null : made;
}

/** null: a control character or a byte above ASCII is in it. */
function endOfEscape(bytes: Uint8Array, from: number): number | null {
  const kind = bytes[from + 1] ?? 0;
  if (kind === 0x5b) {
    let at = from + 2;
    while (isWithin(bytes[at], 0x30, 0x3f)) at += 1;
    while (isWithin(bytes[at], 0x20, 0x2f)) at += 1;
    return isWithin(bytes[at], 0x40, 0x7e) ? at + 1 : from + 2;
  }
  // Strings end in several ways.
  if (kind === 0x5d || kind === 0x50 || kind === 0x58 || kind === 0x5e || kind === 0x5f) return null;
  let at = from + 1;
  while (isWithin(bytes[at], 0x20, 0x2f)) at += 1;
  return isWithin(bytes[at], 0x30, 0x7e) ? at + 1 : from + 1;
}

function isWithin(byte: number | undefined, first: number, last: number): boolean {
  return byte !== undefined && byte >= first && byte <= last;
}
