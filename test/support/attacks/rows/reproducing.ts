import { everywhere } from "../attack.ts";

/** A bug that is ready for work, if the parent's own runs of `shell` exit with 1. */
export function reproducing(shell: string): object {
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
      expect: { exitCode: 1, outputContains: null },
      expected: "",
      actual: "",
      environment: "",
    },
  };
}

/** The same for a script that does `shell` and fails as the product does: with the TypeError of `first([])`. */
export function failing(shell: string): object {
  const product =
    "node -e \"import('./widget.mjs').then(({ first }) => first([]))\" >/dev/null 2>&1; code=$?";
  return reproducing(`${product}\n${shell}\nexit $code`);
}

export const verified = /^applied ready-for-agent reproduction-verified$/;
