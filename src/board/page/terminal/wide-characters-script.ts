import { UnicodeGraphemesAddon } from "@xterm/addon-unicode-graphemes";

// A script of its own, which few recordings need: see needsWideCharacters.
window.afkTriageWideCharacters?.(UnicodeGraphemesAddon);
