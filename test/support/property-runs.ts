/**
 * How many cases a property test draws, or how many Sessions are crowded together: `few` in the default run, `all` where AFK_TEST_RUNS=all asks for them
 * (`AFK_TEST_RUNS=all npm test -- test/agent-tty test/tui`).
 */
export function propertyRuns(few: number, all: number): number {
  return process.env["AFK_TEST_RUNS"] === "all" ? all : few;
}
