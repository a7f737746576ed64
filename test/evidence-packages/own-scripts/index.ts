import { CHEATING_BY_ANSWERS } from "./cheating-by-answers.ts";
import { CHEATING_BY_SHAPE } from "./cheating-by-shape.ts";
import { CHEATING_BY_STATE } from "./cheating-by-state.ts";
import { CHEATING_BY_SURROUNDINGS } from "./cheating-by-surroundings.ts";
import { GENUINE_OF_FUNCTIONS } from "./genuine-of-functions.ts";
import { GENUINE_OF_PACKAGES } from "./genuine-of-packages.ts";
import { FLAKY_SCRIPTS, UNDECIDABLE_SCRIPTS } from "./undecided.ts";

export { buildOwnRepository, OWN_VERSION } from "./build-repository.ts";
export type { OwnScript } from "./own-script.ts";

/** Our own scripts by what a verification should say of them; `undecidable`: no machine can tell. */
export const OWN_SCRIPTS = {
  accept: [...GENUINE_OF_FUNCTIONS, ...GENUINE_OF_PACKAGES],
  refuse: [...CHEATING_BY_ANSWERS, ...CHEATING_BY_SURROUNDINGS, ...CHEATING_BY_STATE, ...CHEATING_BY_SHAPE],
  flaky: FLAKY_SCRIPTS,
  undecidable: UNDECIDABLE_SCRIPTS,
} as const;
