export { type MutantArea, mutantAreas } from "./areas.ts";
export { type AreaMutant, drawSample } from "./draw-sample.ts";
export {
  applyMutant,
  findMutants,
  type Mutant,
  type MutantOperator,
  mutantOperators,
} from "./find-mutants.ts";
