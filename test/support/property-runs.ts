/**
 * Returns the number of cases of a property test, or of concurrent Sessions: `few` in the default run, `all` in `npm run
 * test:laws`.
 */
export function propertyRuns(few: number, all: number): number {
  return process.env["AFK_TEST_RUNS"] === "all" ? all : few;
}
