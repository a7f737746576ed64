import type { DetectorProfile } from "../detector.ts";
import type { TuiScreen } from "../tui-screen.ts";

const ENTER = "\r";
const PASTE = /^\x1b\[200~[^]*\x1b\[201~/;
/** Interrupts, Esc and clearing a line: what was typed is not about to be submitted any more. */
const GIVEN_UP = new Set(["\x1b", "\x03", "\x15"]);

/**
 * H1: recognises a submit in what is sent to a terminal, one write at a time: text or a paste, and then Enter, over a
 * composer. What answers a dialog or picks from a menu is none, nor is a key alone.
 */
export class SubmitWatch {
  readonly #profile: Pick<DetectorProfile, "create">;
  #hasText = false;

  constructor(profile: Pick<DetectorProfile, "create">) {
    this.#profile = profile;
  }

  /** Whether these bytes submit; `look` gives the screen that they are sent to, and is asked for at Enter only. */
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

  /** By the screen alone: the tracker's last look may be older than a fast typist's text. */
  #shows(screen: TuiScreen): string {
    return this.#profile.create().detect(screen, 0).surface.type;
  }
}

/** Something that would stand in a composer: keys are escape sequences, and Enter alone is no text. */
function isText(data: string): boolean {
  const first = data.codePointAt(0) ?? 0;
  return data !== ENTER && first >= 0x20 && first !== 0x7f;
}
