/**
 * Throws for an event that is impossible in the current state. This is a bug of the caller: the parent crashes and nothing is
 * saved.
 */
export function illegalTransition(machine: string, state: string, event: string): never {
  throw new Error(`${machine}: "${event}" is not possible in state "${state}"`);
}

/** Closes an exhaustive switch: a new member of the union fails to compile here. */
export function unreachable(value: never): never {
  throw new Error(`unknown value ${JSON.stringify(value)}`);
}
