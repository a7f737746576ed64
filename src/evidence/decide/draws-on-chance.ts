/** Sources of chance and of time: random numbers, the clock's lowest digits, processes in the background. */
const CHANCE =
  /Math\.random|\/dev\/u?random|\$\{?RANDOM\b|\bshuf\b|getrandom|randomBytes|randomInt|randomUUID|crypto\.getRandomValues|import random|random\.(?:random|choice|randint)|hrtime|performance\.now|%N|nanoseconds?|time\.time_ns|process\.pid|\$\$|&\s*(?:\n|$)|\bwait\b|Promise\.race|Date\.now\(\)\s*%|\bgetpid\b|SRANDOM|EPOCHREALTIME/;

/** Whether a script draws from a source of chance: its runs are repeated, and none takes place beside another. */
export function drawsOnChance(script: string): boolean {
  return CHANCE.test(script);
}
