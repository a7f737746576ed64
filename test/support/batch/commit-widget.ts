import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";

/** Commits `text` as the product's widget.mjs, also if it is the same as before. Returns the commit. */
export async function commitWidget(
  stage: { directory: string },
  text: string,
  subject: string,
  tag?: string,
): Promise<string> {
  const cwd = join(stage.directory, "product");
  await writeFile(join(cwd, "widget.mjs"), text);
  const git = execa({ cwd, env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" } });
  await git`git -c user.name=t -c user.email=t@example.test commit --quiet --allow-empty --all --message ${subject}`;
  if (tag !== undefined) await git`git tag ${tag}`;
  return (await git`git rev-parse HEAD`).stdout;
}
