import { everywhere } from "../attack.ts";

/**
 * Returns an outcome for a bug that is ready for work if the parent's own runs of `shell` end as claimed (by default with exit
 * code 1).
 */
export function reproducing(
  shell: string,
  expect: { exitCode?: number; outputContains?: string } = {},
): object {
  const { exitCode = 1, outputContains = null } = expect;
  return {
    ...everywhere("It fails."),
    outcome: "ready-for-agent",
    questions: [],
    brief: {
      currentBehavior: "It fails.",
      desiredBehavior: "It works.",
      keyInterfaces: [],
      acceptanceCriteria: ["It works."],
      outOfScope: [],
    },
    reproduction: {
      attempted: true,
      reproduced: true,
      script: `#!/bin/sh\n${shell}\n`,
      expect: { exitCode, outputContains },
      expected: "",
      actual: "",
      environment: "",
    },
  };
}

/** The same for a script that runs `shell` and then fails like the product: with the TypeError of `first([])`. */
export function failing(shell: string): object {
  const product =
    "node -e \"import('./widget.mjs').then(({ first }) => first([])).catch((error) => process.exit(error instanceof TypeError ? 1 : 0))\"; code=$?";
  return reproducing(`${product}\n${shell}\nexit $code`);
}

export const verified = /^applied ready-for-agent reproduction-verified$/;
