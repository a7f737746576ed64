import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { OperationalError } from "agent-tty/kit";
import { execa } from "execa";
import { z } from "zod";
import { plainText, redactSecrets } from "../../github/index.ts";
import { MANIFEST } from "../package-files/index.ts";
import type { PackedFile } from "./plan-publication.ts";

export type PublishErrorCode = "PUBLISH_REFUSED" | "PROVENANCE_UNAVAILABLE" | "NPM_FAILED";

export interface PackedPackage {
  /** Path of the tarball. */
  tarball: string;
  integrity: string;
  files: PackedFile[];
}

/** The registry, and the builder of its packages. */
export interface Npm {
  /**
   * Builds and packs the package in `directory` into the directory `into`. npm refuses provenance for a package that does not
   * name the repository in which it was built. Therefore the tarball's package.json (and only that one) names `repositoryUrl`;
   * null leaves it unchanged.
   */
  pack(directory: string, into: string, repositoryUrl: string | null): Promise<PackedPackage>;
  /** Returns the integrity of the published package; null if that version is not published. */
  published(name: string, version: string): Promise<string | null>;
  publish(tarball: string, options: { distTag: string }): Promise<void>;
}

const TIMEOUT_MS = 10 * 60_000;

/** The output of `npm pack --json`: https://docs.npmjs.com/cli/commands/npm-pack */
const packSchema = z
  .array(
    z.object({
      filename: z.string(),
      integrity: z.string(),
      files: z.array(z.object({ path: z.string(), size: z.int().nonnegative() })),
    }),
  )
  .length(1);

/** Returns the npm program as a port. Each command is limited to TIMEOUT_MS milliseconds and ends with the signal. */
export function npmCommand(env: NodeJS.ProcessEnv, signal: AbortSignal): Npm {
  const npm = async (args: readonly string[], cwd: string): Promise<string> => {
    const options = { cwd, env, extendEnv: false, stdin: "ignore", reject: false } as const;
    // Overrides `npm run --silent`: without npm's error output there would be no reason to report and no E404 to recognise.
    const result = await execa("npm", [...args, "--loglevel=error"], {
      ...options,
      timeout: TIMEOUT_MS,
      cancelSignal: signal,
    });
    signal.throwIfAborted();
    if (result.exitCode === 0) return result.stdout;
    throw npmFailed(args, result.stderr.trim() || result.stdout.trim() || result.shortMessage || "");
  };
  return {
    pack: async (directory, into, repositoryUrl) => {
      await using _manifest = await keptManifest(directory);
      if (repositoryUrl !== null) await npm(["pkg", "set", `repository.url=${repositoryUrl}`], directory);
      const printed = await npm(["pack", "--json", "--pack-destination", into], directory);
      const { filename, integrity, files } = readPacked(printed);
      const packed = files.map(({ path, size }) => ({ path, sizeBytes: size }));
      return { tarball: join(into, filename), integrity, files: packed };
    },
    published: async (name, version) => {
      try {
        return (await npm(["view", `${name}@${version}`, "dist.integrity"], ".")).trim() || null;
      } catch (error) {
        if (error instanceof OperationalError && error.message.includes("E404")) return null;
        throw error;
      }
    },
    publish: async (tarball, { distTag }) => {
      const flags = ["--provenance", "--access", "public", "--tag", distTag, "--ignore-scripts"];
      await npm(["publish", tarball, ...flags], ".");
    },
  };
}

/** Remembers the directory's package.json. Disposing restores it. */
async function keptManifest(directory: string): Promise<AsyncDisposable> {
  const path = join(directory, MANIFEST);
  const text = await readFile(path);
  return { [Symbol.asyncDispose]: () => writeFile(path, text) };
}

/** Returns the JSON in the output, which is searched for, because scripts of the package may have printed text before it. */
function readPacked(printed: string): z.infer<typeof packSchema>[number] {
  const start = printed.search(/^\[$/m);
  const [packed] = packSchema.parse(JSON.parse(printed.slice(start === -1 ? 0 : start)));
  if (packed === undefined) throw new Error("npm packed nothing");
  return packed;
}

function npmFailed(args: readonly string[], said: string): OperationalError<PublishErrorCode> {
  return new OperationalError({
    code: "NPM_FAILED",
    message: `npm ${args.join(" ")}: ${redactSecrets(plainText(said)).trim().slice(-2_000)}`,
    remedy: "Do what npm says and start the pipeline of the same tag again.",
  });
}
