/** How the versions differ in what their screens prove. */
export interface CodexTraits {
  /** Text without style in the composer is a draft, though no cursor was captured. */
  canReadText: boolean;
  /** The working row stays while an answer is written, and only blinks: then growth tells nothing more. */
  keepsWorkingRow: boolean;
  /** The window title spins while it works, so a plain one tells of rest. */
  titleTellsRest: boolean;
  /** An interruption before the first word leaves no row. */
  interruptsSilently: boolean;
  /** Every finished Turn ends with `Worked for …`. */
  writesWorkedFor: boolean;
}
