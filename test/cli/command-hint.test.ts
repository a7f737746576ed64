import { expect, test } from "vitest";
import { commandHint, type HintFacts } from "../../src/cli/command-hint.ts";

function hint(change: Partial<HintFacts>, links: Record<string, string> = {}): string {
  return commandHint("agent-tty", {
    bundle: "/opt/afk/dist",
    cwd: "/home/me",
    env: { PATH: "/usr/bin:/home/me/.local/bin" },
    realPath: (path) => (path === "/opt/afk/dist" ? path : (links[path] ?? null)),
    ...change,
  });
}

const OURS = "/opt/afk/dist/bin/agent-tty.cjs";

test("a hint is the name if the PATH leads here, npx with the name if the directory has it installed, else the file", () => {
  expect(hint({}, { "/usr/bin/agent-tty": OURS })).toBe("agent-tty");
  expect(hint({}, { "/usr/bin/agent-tty": "/somebody/else/agent-tty.js" })).toBe(
    "node /opt/afk/dist/agent-tty.js",
  );
  expect(hint({}, { "/home/me/node_modules/.bin/agent-tty": OURS })).toBe("npx agent-tty");
  // npx has added its own directory to the PATH, for this process only.
  const env = { PATH: "/cache/node_modules/.bin", npm_command: "exec" };
  expect(hint({ env }, { "/cache/node_modules/.bin/agent-tty": OURS })).toBe(
    "node /opt/afk/dist/agent-tty.js",
  );
  expect(hint({ cwd: "/opt/afk" })).toBe("node dist/agent-tty.js");
});
