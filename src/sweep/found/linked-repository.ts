import type { RepositoryName } from "../../github/index.ts";

/** A repository at one commit, to which the reporter links. */
export interface LinkedRepository {
  /** The URL from which git fetches. It contains only letters, digits and `._/:-`. */
  readonly url: string;
  /** All 40 hex digits, because a branch or an abbreviated commit may refer to something else later. */
  readonly commit: string;
  /** The folder inside the repository; empty: the root. */
  readonly folder: string;
}

const TREE =
  /^(https:\/\/(?:github\.com|codeberg\.org|bitbucket\.org|gitlab\.com))\/([\w.-]+\/[\w.-]+)\/(?:-\/)?(?:tree|src\/commit|src)\/([0-9a-f]{40})((?:\/[\w.@-]+)*)\/?$/;
const GIST = /^https:\/\/gist\.github\.com\/(?:[\w-]+\/)?([0-9a-f]{20,40})\/([0-9a-f]{40})\/?$/;

/**
 * Returns the repository of a link to the files of a repository or a gist at one commit. null: any other link, such as one to a
 * branch, a single file, a change, or the product's own repository.
 */
export function linkedRepository(link: string, product: RepositoryName): LinkedRepository | null {
  const gist = GIST.exec(link);
  if (gist !== null)
    return { url: `https://gist.github.com/${gist[1]}.git`, commit: gist[2] ?? "", folder: "" };
  const [, host = "", name = "", commit = "", path = ""] = TREE.exec(link) ?? [];
  const folder = path.slice(1);
  if (name === "" || name.toLowerCase() === product.toLowerCase() || folder.split("/").includes(".."))
    return null;
  return { url: `${host}/${name}.git`, commit, folder };
}
