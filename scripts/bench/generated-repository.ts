import { spawn } from "node:child_process";
import { once } from "node:events";
import { execFile } from "node:child_process";
import { promisify } from "node:util";

export interface RepositorySize {
  commits: number;
  files: number;
  fileBytes: number;
}

const run = promisify(execFile);
/** The number of files that one commit changes. */
const CHANGED = 8;

/** Creates a bare repository at this path with a linear history. Its clients may use filters and request any commit. */
export async function generateRepository(path: string, size: RepositorySize): Promise<void> {
  await run("git", ["init", "--quiet", "--bare", "--initial-branch=main", path]);
  for (const setting of ["uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"])
    await run("git", ["-C", path, "config", setting, "true"]);
  const git = spawn("git", ["-C", path, "fast-import", "--quiet"], { stdio: ["pipe", "inherit", "inherit"] });
  const write = async (text: string): Promise<void> => {
    if (!git.stdin.write(text)) await once(git.stdin, "drain");
  };
  for (let commit = 1; commit <= size.commits; commit += 1) {
    const message = `Change number ${commit}`;
    const changed =
      commit === 1
        ? Array.from({ length: size.files }, (_, file) => file)
        : Array.from({ length: CHANGED }, (_, index) => (commit * 31 + index * 97) % size.files);
    await write(
      `commit refs/heads/main\ncommitter A <a@example.org> ${1_600_000_000 + commit * 600} +0000\ndata ${message.length}\n${message}\n`,
    );
    for (const file of new Set(changed)) {
      const text = contentOf(file, commit, size.fileBytes);
      await write(`M 100644 inline src/part-${file % 40}/module-${file}.ts\ndata ${text.length}\n${text}\n`);
    }
  }
  git.stdin.end();
  const [code] = (await once(git, "close")) as [number];
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`);
  await run("git", ["-C", path, "gc", "--quiet"], { timeout: 600_000 });
}

/** Returns lines of which a change rewrites a tenth, so that git's deltas are as small as those of source code. */
function contentOf(file: number, commit: number, bytes: number): string {
  const lines: string[] = [];
  for (let line = 0, length = 0; length < bytes; line += 1) {
    const version = line % 10 === commit % 10 ? commit : 0;
    const text = `export const value${line} = ${((file + 1) * 7919 + line * 104_729 + version * 15_485_863) % 1_000_003};`;
    lines.push(text);
    length += text.length + 1;
  }
  return lines.join("\n");
}
