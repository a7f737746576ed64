import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Context } from "hono";

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/** The smallest body, in bytes, that is worth compressing. */
const LEAST_BYTES = 1_024;
/** The quality of Brotli, with which a list of 100 runs is compressed in about a millisecond. */
const QUALITY = 4;
const COMPRESSIBLE = /^(?:application\/(?:problem\+)?json|text\/(?:javascript|css|html)|image\/svg\+xml)\b/;

/**
 * Returns a response with status 304 for a reader that already has the document, and compresses bodies that are long enough (B6).
 * Downloads and streams pass unchanged.
 */
export async function transported({ req, res }: Context): Promise<Response> {
  const type = res.headers.get("Content-Type") ?? "";
  if (!COMPRESSIBLE.test(type) || res.headers.has("Content-Disposition") || res.body === null) return res;
  const bytes = Buffer.from(await res.arrayBuffer());
  const headers = new Headers(res.headers);
  headers.append("Vary", "Accept-Encoding");
  const digest = createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
  if (res.status === 200 && !type.startsWith("text/html")) {
    const tag = `W/"${digest}"`;
    headers.set("ETag", tag);
    if (isKnown(req.header("If-None-Match") ?? "", tag)) return new Response(null, { status: 304, headers });
  }
  // A file of the page was compressed when it was built.
  const isDone = headers.has("Content-Encoding") || bytes.byteLength < LEAST_BYTES;
  const encoding = isDone ? null : acceptedEncoding(req.header("Accept-Encoding") ?? "");
  if (encoding === null) return new Response(new Uint8Array(bytes), { status: res.status, headers });
  headers.set("Content-Encoding", encoding);
  const body = await compressed(bytes, encoding);
  return new Response(new Uint8Array(body), { status: res.status, headers });
}

/** Returns whether the reader already has the document, by weak comparison (RFC 9110, 13.1.2). */
function isKnown(header: string, tag: string): boolean {
  const bare = (one: string): string => one.trim().replace(/^W\//, "");
  return header.split(",").some((one) => one.trim() === "*" || bare(one) === bare(tag));
}

/** Returns the best encoding that the reader accepts; null: it accepts none. `q=0` rules an encoding out (RFC 9110, 12.5.3). */
export function acceptedEncoding(header: string): "br" | "gzip" | null {
  const accepted = new Set(
    header
      .toLowerCase()
      .split(",")
      .map((one) => one.trim().split(/\s*;\s*/))
      .filter(([, weight]) => weight === undefined || !/^q=0(?:\.0*)?$/.test(weight))
      .map(([name]) => name),
  );
  return accepted.has("br") ? "br" : accepted.has("gzip") ? "gzip" : null;
}

function compressed(bytes: Buffer, encoding: "br" | "gzip"): Promise<Buffer> {
  return encoding === "br"
    ? brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } })
    : deflate(bytes);
}
