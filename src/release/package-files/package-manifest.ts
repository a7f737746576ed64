import { messageOf } from "agent-tty/kit";
import { z } from "zod";
import { type Refusal, refused } from "../release-error.ts";

export const MANIFEST = "package.json";

const ranges = z.record(z.string(), z.string()).optional();

/** The parts of a package.json that a release reads. Everything else stays unchanged. */
const manifestSchema = z.object({
  name: z.string().optional(),
  version: z.string().optional(),
  private: z.boolean().optional(),
  workspaces: z.union([z.array(z.string()), z.object({ packages: z.array(z.string()) })]).optional(),
  files: z.array(z.string()).optional(),
  bin: z.union([z.string(), z.record(z.string(), z.string())]).optional(),
  dependencies: ranges,
  devDependencies: ranges,
  peerDependencies: ranges,
  optionalDependencies: ranges,
});

export type PackageManifest = z.infer<typeof manifestSchema>;

export const DEPENDENCY_FIELDS = [
  "dependencies",
  "devDependencies",
  "peerDependencies",
  "optionalDependencies",
] as const;

/** Returns the parts of a package.json that a release uses, or a refusal (RELEASE_PACKAGE_UNUSABLE). */
export function readManifest(
  path: string,
  text: string,
): { type: "manifest"; manifest: PackageManifest } | Refusal {
  try {
    return { type: "manifest", manifest: manifestSchema.parse(JSON.parse(text)) };
  } catch (error) {
    return refused(
      "RELEASE_PACKAGE_UNUSABLE",
      `read ${path}: ${messageOf(error).split("\n").slice(0, 3).join(" ")}`,
      "Correct the file, commit, and run again.",
    );
  }
}
