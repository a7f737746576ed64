/** Matches sources of chance and of time: random numbers, the clock's lowest digits, processes in the background. */
const CHANCE =
  /Math\.random|\/dev\/u?random|\$\{?RANDOM\b|\bshuf\b|getrandom|randomBytes|randomInt|randomUUID|crypto\.getRandomValues|import random|random\.(?:random|choice|randint)|hrtime|performance\.now|%N|nanoseconds?|time\.time_ns|process\.pid|\$\$|&\s*(?:\n|$)|\bwait\b|Promise\.race|Date\.now\(\)\s*%|\bgetpid\b|SRANDOM|EPOCHREALTIME/;

/**
 * Returns whether a script uses a source of chance. If so, its runs are repeated, and no two of them take place at the same time.
 */
export function drawsOnChance(script: string): boolean {
  return CHANCE.test(script);
}
