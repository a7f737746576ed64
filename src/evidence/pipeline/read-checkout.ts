import { shellQuote } from "agent-tty/kit";
import type { ReadyWorkspace } from "../../workspaces/index.ts";
import { type Product, productOf } from "../controls/index.ts";
import type { Patience } from "../place.ts";
import { connectionLost } from "./connection-lost.ts";
import { DIVIDE, DIVIDER, LISTING_MAX_BYTES, PRISTINE, RUN } from "./turn.ts";

export interface CheckoutReading {
  /** null: git does not report it. */
  readonly commit: string | null;
  readonly product: Product;
  /** Files that the manifest lists as programs (`bin`). */
  readonly programs: readonly string[];
}

/**
 * Moves the new checkout of a place to its pristine path, and reads its commit and which of its files are the product. Rejects if
 * the files cannot be listed, and with WORKSPACE_LOST.
 */
export async function readCheckout(
  workspace: ReadyWorkspace,
  directory: string,
  { signal, remainingMs }: Patience,
): Promise<CheckoutReading> {
  const commandLine = [
    `cd -- ${shellQuote(directory)} && { [ -d ${PRISTINE} ] || mv -- ${RUN} ${PRISTINE}; } && cd ${PRISTINE} || exit 90`,
    `git rev-parse HEAD 2>/dev/null; ${DIVIDE}; git ls-files -z --recurse-submodules 2>/dev/null; ${DIVIDE}`,
    `find . -path ./.git -prune -o -type f -printf '%P\\0'; ${DIVIDE}`,
    `[ ! -f package.json ] || head -c 1000000 package.json || true`,
  ].join("\n");
  const options = { timeoutMs: remainingMs(), maxOutputBytes: LISTING_MAX_BYTES, signal };
  const result = await workspace.exec(commandLine, options);
  if (result.type === "transport-lost") throw connectionLost("read the checkout");
  if (result.type !== "exited") throw unlisted(NOT_LISTED[result.type]);
  if (result.exitCode !== 0) throw unlisted(`exit code ${result.exitCode}`);
  const text = Buffer.from(result.stdout).toString();
  const [commit = "", tracked = "", files = "", manifest = ""] = text.split(DIVIDER);
  const { dependencies, programs } = readManifest(manifest);
  return {
    commit: /^[0-9a-f]{40,64}$/.exec(commit.trim())?.[0] ?? null,
    product: productOf({ files: paths(files), tracked: new Set(paths(tracked)), dependencies }),
    programs,
  };
}

const NOT_LISTED = {
  "timed-out": "the deadline passed",
  "output-too-large": `the listing is larger than ${LISTING_MAX_BYTES / 1024 ** 2} MiB`,
} as const;

function unlisted(cause: string): Error {
  return new Error(`the files of the checkout could not be listed: ${cause}`);
}

function paths(text: string): string[] {
  return text.split("\0").filter((path) => path !== "");
}

function readManifest(text: string): { dependencies: string[]; programs: string[] } {
  try {
    const found = JSON.parse(text) as { dependencies?: object; bin?: string | Record<string, string> };
    const programs = typeof found.bin === "string" ? [found.bin] : Object.values(found.bin ?? {});
    return {
      dependencies: Object.keys(found.dependencies ?? {}),
      programs: programs.map((path) => path.replace(/^\.\//, "")),
    };
  } catch {
    return { dependencies: [], programs: [] };
  }
}
