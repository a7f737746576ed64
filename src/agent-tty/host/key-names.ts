/** Keys whose sequence ends in a fixed letter; modifiers decide whether it starts with CSI or SS3. */
export const LETTER_KEYS: ReadonlyMap<string, string> = table({
  up: "A",
  down: "B",
  right: "C",
  left: "D",
  home: "H",
  end: "F",
  f1: "P",
  f2: "Q",
  f3: "R",
  f4: "S",
});

/** Keys whose sequence ends in a tilde. */
export const NUMBER_KEYS: ReadonlyMap<string, number> = table({
  insert: 2,
  delete: 3,
  pageup: 5,
  pagedown: 6,
  f5: 15,
  f6: 17,
  f7: 18,
  f8: 19,
  f9: 20,
  f10: 21,
  f11: 23,
  f12: 24,
});

/** Keys that send one character. */
export const CHARACTER_KEYS: ReadonlyMap<string, string> = table({
  enter: "\r",
  tab: "\t",
  escape: "\x1b",
  space: " ",
  backspace: "\x7f",
});

export const ALIASES: ReadonlyMap<string, string> = table({
  return: "enter",
  esc: "escape",
  del: "delete",
  ins: "insert",
  bspace: "backspace",
  pgup: "pageup",
  pgdn: "pagedown",
  pgdown: "pagedown",
  arrowup: "up",
  arrowdown: "down",
  arrowright: "right",
  arrowleft: "left",
});

/** Key names in the form in which people write them. */
export const KEY_NAMES: readonly string[] = [
  ..."Enter Return Tab Escape Esc Space Backspace Delete Insert Up Down Left Right Home End PageUp PageDown".split(
    " ",
  ),
  ...Array.from({ length: 24 }, (_, index) => `F${index + 1}`),
];

function table<T>(entries: Record<string, T>): ReadonlyMap<string, T> {
  return new Map(Object.entries(entries));
}
