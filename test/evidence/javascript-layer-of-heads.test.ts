import { expect, test } from "vitest";
import { layered, prepareLayers } from "./layered-product.ts";

prepareLayers();

const STRICT = "exports.isStrict = () => (function () { return this === undefined })();";
const COMMENTS = "/* a */ // b\n\n/** c **/\n".repeat(200);

test.each([
  ["at its start", "'use strict';\n", true],
  ["after an interpreter and comments", `#!/usr/bin/env node\n${COMMENTS}"use strict"\n`, true],
  // A pattern that may end a comment at any later end of a comment takes exponential time for these.
  ["nowhere, behind many comments", COMMENTS, false],
  ["only inside a comment", "/* a\n'use strict'; */\n", false],
  ["after other text", "void 0;\n'use strict';\n", false],
])(
  "a layer keeps a product's strict mode if its file has the directive %s (V2)",
  async (_, head, isStrict) => {
    const script = "console.log(require('./product').isStrict())";
    const { real, renumbered, deaf } = await layered({ files: { "index.js": head + STRICT }, script });
    expect([real, renumbered, deaf]).toEqual([String(isStrict), String(isStrict), String(!isStrict)]);
  },
);
