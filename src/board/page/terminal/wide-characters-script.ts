import { UnicodeGraphemesAddon } from "@xterm/addon-unicode-graphemes";

// This is a separate script, because only few recordings need it: see needsWideCharacters.
window.afkTriageWideCharacters?.(UnicodeGraphemesAddon);
