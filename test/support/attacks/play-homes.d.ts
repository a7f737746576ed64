import type { BuiltProgram } from "../batch/program.ts";
import type { Verdict } from "./judge.ts";
/** Starts the real program with each hostile home; it must refuse, and leave the treasure and the issue unchanged. */
export declare function playHomes(program: BuiltProgram): Promise<Verdict[]>;
