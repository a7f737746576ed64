/**
 * How many cases a property test draws, or how many Sessions are crowded together: `few` in the default run, `all` in
 * `npm run test:laws`.
 */
export function propertyRuns(few: number, all: number): number {
  return process.env["AFK_TEST_RUNS"] === "all" ? all : few;
}
