/**
 * The controls of a terminal stream that may reach a person's terminal; all others are dropped (S23). Allowed are colours,
 * movement, erasing, scrolling, margins, tab stops, charsets and the screens. Dropped are strings (titles, clipboard, links,
 * device control) and everything that a terminal answers, prints on paper, locks or keeps after the run.
 */

/** C0 (ECMA-48 §5.2): BEL, BS, HT, LF, VT, FF, CR, SO, SI. */
const CONTROLS = new Set("\x07\b\t\n\v\f\r\x0e\x0f");

/** Returns whether this C0 control character of a program's output may reach a person's terminal. */
export function isAllowedControl(character: string): boolean {
  return CONTROLS.has(character);
}

/**
 * Escape sequences (ECMA-48 §5.5): saving and restoring the cursor (DECSC, DECRC), keypad, IND, NEL, HTS, RI, reset (RIS),
 * DECALN, line sizes, and the charsets US, UK and line drawing.
 */
const ESCAPES = /^(?:[78=>DEHMc]|#[34568]|[()*+][0AB])$/;

/** Returns whether an escape sequence may reach a person's terminal. `body`: what follows ESC, including the final byte. */
export function isAllowedEscape(body: string): boolean {
  return ESCAPES.test(body);
}

/** Finals of control sequences (ECMA-48 §5.4) without prefix and intermediates that affect only the screen and the cursor. */
const FINALS = new Set("@ABCDEFGHIJKLMPSTXZ`abdefgmrsu");
/**
 * Finals with a prefix or an intermediate: selective erasing (DECSED, DECSEL), shape of the cursor (DECSCUSR), soft reset
 * (DECSTR).
 */
const MARKED = new Set(["?J", "?K", " q", "!p"]);
/** ANSI modes: insert, new line. */
const MODES = new Set(["4", "20"]);
/** DEC modes: reverse video, origin, wrap, repeat, blinking and visible cursor, reverse wrap, the alternate screen. */
const DEC_MODES = new Set(["5", "6", "7", "8", "12", "25", "45", "47", "1047", "1048", "1049"]);
/** DEC modes that change what keys and the mouse send; all of them are ended when the person's terminal is restored. */
const INPUT_MODES = new Set(["1", "1000", "1002", "1003", "1006", "2004"]);

const CONTROL_SEQUENCE = /^([<=>?]?)((?:\d{0,5}[;:])*\d{0,5})([ -/]*)([@-~])$/;

/**
 * Returns the part of a control sequence that may pass, without its introducer, or null if nothing may pass. `body`: from the
 * parameters to the final byte.
 */
export function allowedControlSequence(body: string, takesInput: boolean): string | null {
  const [, prefix = "", parameters = "", intermediates = "", final = ""] = CONTROL_SEQUENCE.exec(body) ?? [];
  if (final === "") return null;
  const mark = `${prefix}${intermediates}`;
  if ((final === "h" || final === "l") && intermediates === "" && (prefix === "" || prefix === "?")) {
    const isKnown = (mode: string): boolean =>
      prefix === "" ? MODES.has(mode) : DEC_MODES.has(mode) || (takesInput && INPUT_MODES.has(mode));
    const known = parameters.split(";").filter(isKnown);
    return known.length === 0 ? null : `${prefix}${known.join(";")}${final}`;
  }
  // With more than one parameter, T starts mouse tracking in old xterms.
  if (final === "T" && parameters.includes(";")) return null;
  const isAllowed = mark === "" ? FINALS.has(final) : MARKED.has(`${mark}${final}`);
  return isAllowed ? body : null;
}
