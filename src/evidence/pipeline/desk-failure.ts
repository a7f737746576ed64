/** A run could not be prepared, or what it left could not be read: says nothing about the bug. */
export class DeskFailure extends Error {}
