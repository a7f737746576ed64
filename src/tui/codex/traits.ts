/** The differences between versions in what their screens prove. */
export interface CodexTraits {
  /** Text without style in the composer counts as a draft, although no cursor was captured. */
  canReadText: boolean;
  /** The working row stays while an answer is written and only blinks, so growth adds no evidence. */
  keepsWorkingRow: boolean;
  /** The window title spins during work, so a plain title proves rest. */
  titleTellsRest: boolean;
  /** An interruption before the first word leaves no row. */
  interruptsSilently: boolean;
  /** Every finished Turn ends with `Worked for …`. */
  writesWorkedFor: boolean;
}
