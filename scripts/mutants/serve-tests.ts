import { createVitest, type TestSpecification } from "vitest/node";
import type { TestEnd, TestRequest } from "./test-server.ts";

/**
 * A child process that keeps one vitest instance for many runs, so that files that a mutant does not change are not transformed
 * again. Each message is a TestRequest, which it answers with a TestEnd. It exits with its parent.
 */
const vitest = await createVitest("test", {
  root: process.cwd(),
  watch: false,
  maxWorkers: 1,
  bail: 1,
  reporters: [{}],
});
process.on("disconnect", () => process.exit());
process.on("message", (request: TestRequest) => {
  void answer(request).then((end) => process.send?.(end));
});
process.send?.("ready");

async function answer({ changed, tests }: TestRequest): Promise<TestEnd> {
  try {
    for (const path of changed) vitest.invalidateFile(path);
    vitest.state.filesMap.clear();
    vitest.state.idMap.clear();
    vitest.state.clearErrors();
    const found: TestSpecification[] = await vitest.globTestSpecifications([...tests]);
    if (found.length === 0) throw new Error(`no tests at ${tests.join(", ")}`);
    // The tests run in the order of the table, which begins with those most likely to detect the mutant.
    const place = ({ moduleId }: TestSpecification): number =>
      tests.findIndex((test) => moduleId.includes(test));
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(
      found.toSorted((a, b) => place(a) - place(b)),
    );
    for (const module of testModules) {
      for (const test of module.children.allTests("failed"))
        return { type: "failed", by: `${module.relativeModuleId} > ${test.fullName}` };
      if (!module.ok())
        return { type: "failed", by: `${module.relativeModuleId}: ${module.errors()[0]?.message ?? ""}` };
    }
    const [error] = unhandledErrors as Error[];
    if (error === undefined) return { type: "passed" };
    return { type: error.message.startsWith("[vitest-pool]") ? "crashed" : "failed", by: error.message };
  } catch (error) {
    return { type: "failed", by: String(error) };
  }
}
