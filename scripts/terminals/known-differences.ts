const PENDING_WRAP = "a backspace right after the last column goes one to the left, as in xterm; tmux stays";
const COLUMN_MODE = "the switch to 132 columns is ignored, as in xterm by default; tmux clears the screen";
const CHARACTER_SETS = "tmux lists line drawing as the letters it was written with, and has no national sets";

/**
 * Streams that the engine and tmux show differently, each with the reason. In all but one of them, the engine does the same as
 * xterm.
 */
export const KNOWN_DIFFERENCES: Readonly<Record<string, string>> = {
  "wrap at the last column": PENDING_WRAP,
  "vttest 1: screen 2": PENDING_WRAP,
  "vttest 1: screen 3": COLUMN_MODE,
  "vttest 1: screen 4": COLUMN_MODE,
  "vttest 2: screen 11":
    "tmux takes the origin mode's line for one of the whole screen; vttest says what is right",
  "vttest 3: screen 1": CHARACTER_SETS,
  "line drawing": CHARACTER_SETS,
  "tab stops":
    "tmux has no forward tab (CHT); the emulator ignores a backward tab right after the last column",
  "wide and combining":
    "half of a wide character that is written over takes the other half with it; tmux lists both",
};
