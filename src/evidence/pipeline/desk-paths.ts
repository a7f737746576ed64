import { hasOwnFiles } from "./apart.ts";

/** The paths of a desk: the folder that holds the checkout, HOME, TMPDIR and script of one run at a time. */
export interface DeskPaths {
  /** The place's directory, absolute, which contains the pristine checkout. A run sees its own desk at this path. */
  readonly place: string;
  /**
   * The desk's path, absolute, for every process except its run. The same as `place` if runs have no file system view of their
   * own.
   */
  readonly desk: string;
}

/** Returns the paths of the desk with this number (from 0), whose runs are isolated by the command `apart`. */
export function deskPaths(place: string, apart: string, number: number): DeskPaths {
  return { place, desk: hasOwnFiles(apart) ? `${place}/desks/${number}` : place };
}
