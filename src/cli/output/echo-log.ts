import type { Output } from "./streams.ts";

/** S10: shows the lines of a log on stderr, inert in terminals and CI logs; null when nobody wants to see them. */
export function echoLogOf({
  output,
  isVerbose = false,
}: {
  output: Output;
  isVerbose?: boolean;
}): ((line: string) => void) | null {
  return isVerbose ? (line) => output.event(JSON.parse(line)) : null;
}
