import { createHash } from "node:crypto";
import type { Issue } from "../../github/index.ts";

/** Returns a hash that detects an edit of an issue's text: SHA-256 of title and body, in hex. */
export function textHash({ title, body }: Pick<Issue, "title" | "body">): string {
  return createHash("sha256")
    .update(JSON.stringify([title, body]))
    .digest("hex");
}
