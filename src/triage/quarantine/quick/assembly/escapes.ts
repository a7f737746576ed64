const ESC: u8 = 0x1b;
const CSI: u8 = 0x9b;

/** Returns whether an escape sequence may begin with the byte, in its 7-bit or its 8-bit form. */
export function beginsEscape(byte: u8): bool {
  return byte == ESC || byte == CSI || beginsString(byte);
}

/** Returns whether the byte is the 8-bit form of DCS, SOS, OSC, PM or APC. */
function beginsString(byte: u8): bool {
  return byte == 0x90 || byte == 0x98 || (byte >= 0x9d && byte <= 0x9f);
}

/** Returns where the escape sequence at the start of the text ends, as `ESCAPE_SEQUENCES` matches it; 0: there is none. */
export function escapeEnd(text: usize, end: usize): usize {
  const isSevenBit = load<u8>(text) == ESC;
  const kind = text + 1 < end ? load<u8>(text + 1) : 0;
  let found: usize = 0;
  if (isSevenBit && kind == 0x5b) found = controlEnd(text + 2, end);
  else if (!isSevenBit && load<u8>(text) == CSI) return controlEnd(text + 1, end);
  else if (isSevenBit && (kind == 0x5d || kind == 0x50 || kind == 0x58 || kind == 0x5e || kind == 0x5f))
    found = stringEnd(text + 2, end);
  else if (!isSevenBit) return stringEnd(text + 1, end);
  return found != 0 ? found : finalEnd(text + 1, end, 0x30);
}

/** Matches parameters, intermediate bytes and a final byte. */
function controlEnd(text: usize, end: usize): usize {
  while (text < end && isWithin(text, 0x30, 0x3f)) text += 1;
  return finalEnd(text, end, 0x40);
}

function finalEnd(text: usize, end: usize, least: u8): usize {
  while (text < end && isWithin(text, 0x20, 0x2f)) text += 1;
  return text < end && isWithin(text, least, 0x7e) ? text + 1 : 0;
}

function stringEnd(text: usize, end: usize): usize {
  for (; text < end; text += 1) {
    const byte = load<u8>(text);
    if (byte == 0x07 || byte == 0x9c) return text + 1;
    if (byte == ESC) return text + 1 < end && load<u8>(text + 1) == 0x5c ? text + 2 : 0;
    if (beginsString(byte)) return 0;
  }
  return 0;
}

function isWithin(text: usize, first: u8, last: u8): bool {
  const byte = load<u8>(text);
  return byte >= first && byte <= last;
}
