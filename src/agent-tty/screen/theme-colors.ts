/** What a program is told when it asks for the terminal's colours, whatever it has set itself: those of the dark theme. */
export const THEME_COLORS = { foreground: "#dfe2e7", background: "#16181d", cursor: "#dfe2e7" } as const;
