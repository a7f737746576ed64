import type { Output } from "./streams.ts";

/**
 * Returns a function that prints log lines on stderr, made inert for terminals and CI logs (S10); null when the log is not to be
 * printed.
 */
export function echoLogOf({
  output,
  isVerbose = false,
}: {
  output: Output;
  isVerbose?: boolean;
}): ((line: string) => void) | null {
  return isVerbose ? (line) => output.event(JSON.parse(line)) : null;
}
