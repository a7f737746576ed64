import type { DetectorProfile } from "../detector.ts";
import type { TuiScreen } from "../tui-screen.ts";

const ENTER = "\r";
const PASTE = /^\x1b\[200~[^]*\x1b\[201~/;
/** The keys after which the typed text will not be submitted: Esc, interrupt and the key that clears the line. */
const GIVEN_UP = new Set(["\x1b", "\x03", "\x15"]);

/**
 * Recognises a submit in the bytes sent to a terminal, one write at a time: text or a paste, then Enter, over a composer. A
 * submit marks the start of a Turn (H1). Answering a dialog, choosing from a menu and pressing a single key are not submits.
 */
export class SubmitWatch {
  readonly #profile: Pick<DetectorProfile, "create">;
  #hasText = false;

  constructor(profile: Pick<DetectorProfile, "create">) {
    this.#profile = profile;
  }

  /**
   * Returns whether these bytes submit. `look` returns the screen that the bytes are sent to; it is called only for Enter.
   */
  isSubmit(data: string, look: () => TuiScreen): boolean {
    const rest = data.replace(PASTE, "");
    const isPaste = rest !== data;
    if (GIVEN_UP.has(rest)) this.#hasText = false;
    else if (isPaste || isText(rest)) this.#hasText = true;
    if (!rest.endsWith(ENTER)) return false;
    const isSubmitted = this.#hasText && this.#shows(look()) === "composer";
    this.#hasText = false;
    return isSubmitted;
  }

  /**
   * Returns the surface that the screen shows. It reads the screen itself, because the tracker's last read may be older than the
   * text of a fast typist.
   */
  #shows(screen: TuiScreen): string {
    return this.#profile.create().detect(screen, 0).surface.type;
  }
}

/** Returns whether the bytes would add text to a composer: keys are escape sequences, and Enter alone is not text. */
function isText(data: string): boolean {
  const first = data.codePointAt(0) ?? 0;
  return data !== ENTER && first >= 0x20 && first !== 0x7f;
}
