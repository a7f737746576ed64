import { describe, expect, test } from "vitest";
import { type GithubWorld, worldLabels } from "./github-world.ts";

/** Tests the common behaviour of every LabelRegistry, on the fake and on the real adapter. */
export function labelContract(
  name: string,
  make: () => Promise<GithubWorld & Partial<AsyncDisposable>>,
): void {
  const { signal } = new AbortController();

  describe(`${name}: the label registry`, () => {
    test("lists and creates labels, and reports a label that already exists", async () => {
      const world = await make();
      try {
        const { labelRegistry: labels, repo } = world;
        expect(await labels.names(repo, signal)).toEqual(expect.arrayContaining([...worldLabels]));
        const label = { name: "area: parser", color: "1d76db", description: "the parser" };
        expect(await labels.create(repo, label, signal)).toBe("created");
        expect(await labels.create(repo, label, signal)).toBe("exists");
        expect(await labels.names(repo, signal)).toContain(label.name);
        expect(await world.reader.labels(repo, signal)).toContain(label.name);
        const missing = { code: "GITHUB_REPOSITORY_MISSING" };
        await expect(labels.names("octo/nowhere", signal)).rejects.toMatchObject(missing);
        await expect(labels.create("octo/nowhere", label, signal)).rejects.toMatchObject(missing);
        await expect(labels.create(repo, label, AbortSignal.abort(new Error("stopped")))).rejects.toThrow(
          "stopped",
        );
      } finally {
        await world[Symbol.asyncDispose]?.();
      }
    });
  });
}
