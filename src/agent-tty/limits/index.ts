export { limitSequences } from "./limit-sequences.ts";
