export { type CorrectedCase, correctedCases } from "./corrected-cases.ts";
