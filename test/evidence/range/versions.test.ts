import { array, assert, nat, property, tuple } from "fast-check";
import semver from "semver";
import { describe, expect, test } from "vitest";
import {
  compareVersions,
  parseVersion,
  reportedVersion,
  versionLine,
} from "../../../src/evidence/range/index.ts";

describe("version numbers", () => {
  test("version numbers are ordered as npm orders stable versions (V4)", () => {
    const version = tuple(nat(30), nat(30), nat(30)).map((numbers) => numbers.join("."));
    assert(
      property(array(version), (versions) => {
        const numbered = versions.flatMap((name) => parseVersion(name) ?? []);
        expect(numbered.sort(compareVersions).map(({ numbers }) => numbers.join("."))).toEqual(
          [...versions].sort(semver.compare),
        );
      }),
    );
  });

  test("a prerelease comes before its release, in the order of semver and of Python (V4)", () => {
    const ascending = [
      "1.0.0-alpha",
      "1.0.0-alpha.1",
      "1.0.0-beta.2",
      "1.0.0-beta.11",
      "1.0.0-rc.1",
      "1.0.0",
      "1.0.1",
    ];
    const python = ["1.2a1", "1.2b2", "1.2rc1", "1.2", "1.2.1"];
    for (const list of [ascending, python]) {
      const numbered = list.map((name) => ({ name, number: parseVersion(name) }));
      const sorted = numbered.toSorted((a, b) =>
        a.number === null || b.number === null ? 0 : compareVersions(a.number, b.number),
      );
      expect(sorted.map(({ name }) => name)).toEqual(list);
    }
  });
});

describe("the line of versions", () => {
  const names = (tags: string[], published: string[] = [], packageName: string | null = null): string[] =>
    versionLine({ tags, published, packageName }).map(({ name, tag }) => tag ?? `registry ${name}`);

  test("prereleases are skipped, unless there is nothing else (V4)", () => {
    expect(names(["v1.0.0", "v1.1.0-rc.1", "v1.1.0"])).toEqual(["v1.0.0", "v1.1.0"]);
    expect(names(["v1.0.0-beta.2", "v1.0.0-beta.1"])).toEqual(["v1.0.0-beta.1", "v1.0.0-beta.2"]);
  });

  test("tags of other packages of the repository are skipped (V4)", () => {
    const tags = ["core@1.0.0", "core@1.1.0", "plugin@7.0.0", "nightly", "release-candidate"];
    expect(names(tags, [], "@scope/core")).toEqual(["core@1.0.0", "core@1.1.0"]);
    expect(names(["v1.0.0", "docs-2.0.0"], [], "product")).toEqual(["v1.0.0"]);
    expect(names(["release/1.0", "release/1.2"])).toEqual(["release/1.0", "release/1.2"]);
  });

  test("tags of one product count in every form that they had, unless the numbers of two forms overlap (V4)", () => {
    const renamed = [
      "widget-0.1.0",
      "release/0.5",
      "v1.0.0",
      "v2.0.0",
      "v3.0.0",
      "widget@3.0.0",
      "widget@4.0.0",
    ];
    expect(names(renamed, [], "@scope/widget")).toEqual([
      "widget-0.1.0",
      "release/0.5",
      "v1.0.0",
      "v2.0.0",
      "widget@3.0.0",
      "widget@4.0.0",
    ]);
    expect(names(["release-1.0", "v2.0.0"])).toEqual(["release-1.0", "v2.0.0"]);
    expect(names(["v1.0.0", "v2.0.0", "core@1.5.0"], [], "core")).toEqual(["core@1.5.0"]);
  });

  test("the folder in a tag names the package, and another scope's package of the same name does not (V4)", () => {
    const tags = ["packages/core/v1.0.0", "packages/more/v1.0.0", "packages/more/v1.1.0"];
    expect(names(tags, [], "@scope/core")).toEqual(["packages/core/v1.0.0"]);
    const scoped = ["@other/core@1.0.0", "@other/core@1.1.0", "@scope/core@1.0.0"];
    expect(names(scoped, [], "@scope/core")).toEqual(["@scope/core@1.0.0"]);
  });

  test("a tag that moves to the newest patch, such as v1.2, is skipped beside v1.2.0 (V4)", () => {
    expect(names(["v1", "v1.1", "v1.2", "v1.2.0", "v1.2.1"])).toEqual(["v1.1", "v1.2.0", "v1.2.1"]);
  });

  test("a published version without a tag is inserted by number (V4)", () => {
    expect(names(["v1.0.0", "v1.2.0"], ["1.0.0", "1.1.0", "1.2.0"])).toEqual([
      "v1.0.0",
      "registry 1.1.0",
      "v1.2.0",
    ]);
  });
});

describe("the version that a report names", () => {
  const versions = ["1.9.0", "1.10.0", "2.0.0", "2.1.0", "18.0.0"];
  const named = (...texts: string[]): unknown =>
    reportedVersion({ texts, versions, productNames: ["@scope/left-pad", "left-pad"] });

  test.each([
    ["Version: 2.0.0\nNode: 18.0.0", "2.0.0"],
    ["left-pad@2.0.0, Node.js v18.0.0", "2.0.0"],
    ["Since we moved to left-pad 2.0.0 this fails; it worked in 1.10.0.", "2.0.0"],
    ["We upgraded from 1.10.0 to 2.0.0 and it broke.", "2.0.0"],
    ["It is fixed in 2.1.0 for me, but I use version 2.0.0.", "2.0.0"],
    ["| left-pad | 1.9.0 |\n| node | 18.0.0 |", "1.9.0"],
    ["Happens with v1.10.0.", "1.10.0"],
  ])("the version after the product's name or the word version is returned: %j (V5)", (text, version) => {
    expect(named(text)).toEqual({ type: "named", version });
  });

  test("a version of another product, or one that does not exist, is ignored (V5)", () => {
    expect(named("Node.js 18.0.0 on Debian 2.0.0")).toEqual({ type: "none" });
    expect(named("left-pad 3.4.5")).toEqual({ type: "none" });
    expect(named("Works fine with 1.9.0.")).toEqual({ type: "none" });
  });

  test("two versions that are equally likely are ambiguous (V5)", () => {
    expect(named("left-pad 1.9.0 and left-pad 2.0.0")).toEqual({
      type: "ambiguous",
      versions: ["1.9.0", "2.0.0"],
    });
  });

  test("the first text that names a version decides (V5)", () => {
    expect(named("nothing here", "version 2.1.0", "version 1.9.0")).toEqual({
      type: "named",
      version: "2.1.0",
    });
  });
});
