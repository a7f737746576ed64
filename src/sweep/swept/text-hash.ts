import { createHash } from "node:crypto";
import type { Issue } from "../../github/index.ts";

/** By which an edit of an issue's own text is known: SHA-256 of title and body, hex. */
export function textHash({ title, body }: Pick<Issue, "title" | "body">): string {
  return createHash("sha256")
    .update(JSON.stringify([title, body]))
    .digest("hex");
}
