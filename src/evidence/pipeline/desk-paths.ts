import { hasOwnFiles } from "./apart.ts";

/** A desk is the folder that holds the checkout, HOME, TMPDIR and the script of one run at a time. */
export interface DeskPaths {
  /** Absolute: the place's directory, which holds the pristine checkout. A run finds its own desk at this path. */
  readonly place: string;
  /** Absolute: where the desk is for everyone but its run. The same as `place` where runs have no files of their own. */
  readonly desk: string;
}

/** Where the desk with this number (from 0) is, when `apart` keeps its runs apart. */
export function deskPaths(place: string, apart: string, number: number): DeskPaths {
  return { place, desk: hasOwnFiles(apart) ? `${place}/desks/${number}` : place };
}
