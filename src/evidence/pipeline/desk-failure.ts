/** The error when a run could not be prepared, or the files that it left could not be read. It proves nothing about the bug. */
export class DeskFailure extends Error {}
