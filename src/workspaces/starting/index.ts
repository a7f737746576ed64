export type { ProgramEnd, ProgramStart, StartedProgram } from "./program.ts";
export { startProgram } from "./start-program.ts";
