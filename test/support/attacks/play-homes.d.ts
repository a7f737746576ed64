import type { BuiltProgram } from "../batch/program.ts";
import type { Verdict } from "./judge.ts";
/** The real program is started with each; it must refuse, and leave the treasure and the issue as they are. */
export declare function playHomes(program: BuiltProgram): Promise<Verdict[]>;
