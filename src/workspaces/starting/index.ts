export { type ProgramEnd, type ProgramStart, startProgram, type StartedProgram } from "./start-program.ts";
