import * as fc from "fast-check";
import { expect, test } from "vitest";
import { engine, PATIENT } from "../engine-fixture.ts";

const nasty = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...Array.from("'\"\\$`!\n\t;|&()<>*?#~{}[] ")),
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
  ),
  maxLength: 300,
});

test.each([["bash with hooks"], ["sh"]])("any text reaches %s unchanged (A16)", async (shell) => {
  await using started = await engine();
  const session = shell === "sh" ? await started.create({ command: ["sh"] }) : await started.bash();
  await fc.assert(
    fc.asyncProperty(
      nasty.filter((text) => !text.includes("\0")),
      async (text) => {
        const quoted = `'${text.replaceAll("'", "'\\''")}'`;
        const result = await session.run(
          `printf %s ${quoted} | od -An -v -tx1 | tr -d ' \\n'; echo .`,
          PATIENT,
        );
        expect(result).toMatchObject({ type: "completed", exitCode: 0 });
        const shown = (await session.readOutput(result.output, 10_000)).replaceAll("\n", "");
        expect(shown.endsWith(`${Buffer.from(text).toString("hex")}.`)).toBe(true);
      },
    ),
    { numRuns: 40 },
  );
});
