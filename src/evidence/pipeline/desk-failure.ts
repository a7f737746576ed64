/** A run could not be prepared, or the files that it left could not be read. This proves nothing about the bug. */
export class DeskFailure extends Error {}
