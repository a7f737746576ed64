import { CHEATING_BY_ANSWERS } from "./cheating-by-answers.ts";
import { CHEATING_BY_CALLBACKS } from "./cheating-by-callbacks.ts";
import { CHEATING_BY_PATCHES } from "./cheating-by-patches.ts";
import { CHEATING_BY_SHAPE } from "./cheating-by-shape.ts";
import { CHEATING_BY_STATE } from "./cheating-by-state.ts";
import { CHEATING_BY_SURROUNDINGS } from "./cheating-by-surroundings.ts";
import { CHEATING_IN_PYTHON } from "./cheating-in-python.ts";
import { GENUINE_OF_PYTHON } from "./genuine-of-python.ts";
import { GENUINE_OF_CALLBACKS } from "./genuine-of-callbacks.ts";
import { GENUINE_OF_CASES } from "./genuine-of-cases.ts";
import { GENUINE_OF_FUNCTIONS } from "./genuine-of-functions.ts";
import { GENUINE_OF_PACKAGES } from "./genuine-of-packages.ts";
import { FLAKY_SCRIPTS, UNDECIDABLE_SCRIPTS } from "./undecided.ts";

export { buildOwnRepository, OWN_VERSION } from "./build-repository.ts";
export type { OwnScript } from "./own-script.ts";

/** Our own scripts by the result that a verification should have; `undecidable`: no machine can decide. */
export const OWN_SCRIPTS = {
  accept: [
    ...GENUINE_OF_FUNCTIONS,
    ...GENUINE_OF_CASES,
    ...GENUINE_OF_PACKAGES,
    ...GENUINE_OF_CALLBACKS,
    ...GENUINE_OF_PYTHON,
  ],
  refuse: [
    ...CHEATING_BY_ANSWERS,
    ...CHEATING_BY_SURROUNDINGS,
    ...CHEATING_BY_STATE,
    ...CHEATING_BY_SHAPE,
    ...CHEATING_BY_CALLBACKS,
    ...CHEATING_BY_PATCHES,
    ...CHEATING_IN_PYTHON,
  ],
  flaky: FLAKY_SCRIPTS,
  undecidable: UNDECIDABLE_SCRIPTS,
} as const;
