/**
 * The colours that a program receives when it asks for the terminal's colours, even after it has set its own: those of
 * the dark theme.
 */
export const THEME_COLORS = { foreground: "#dfe2e7", background: "#16181d", cursor: "#dfe2e7" } as const;
