import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * Pure: whether one of the secrets signed these bytes, as GitHub's `X-Hub-Signature-256` says. Several secrets allow a rotation:
 * the new and the old one are accepted until no delivery of the old one is left. Takes the same time whichever byte differs.
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
