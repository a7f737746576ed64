import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * Returns whether the `X-Hub-Signature-256` header of GitHub was made with one of the secrets over these bytes. Pure. Several
 * secrets allow a rotation: the new and the old secret are both accepted until no delivery signed with the old one is left. The
 * comparison takes the same time whichever byte differs.
 */
export function isSigned(body: Uint8Array, signature: string, secrets: readonly string[]): boolean {
  const given = Buffer.from(signature);
  let isValid = false;
  for (const secret of secrets) {
    const expected = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
    if (given.length === expected.length && timingSafeEqual(given, expected)) isValid = true;
  }
  return isValid;
}
