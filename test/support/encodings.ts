const bytes = (text: string): Buffer => Buffer.from(text);

export const reversed = (text: string): string => Array.from(text).toReversed().join("");

/** Moves each letter `by` places on in the alphabet; 13: ROT13. */
export const rotated = (text: string, by: number): string =>
  text.replaceAll(/[a-z]/gi, (sign) => {
    const first = sign <= "Z" ? 65 : 97;
    return String.fromCharCode(((sign.charCodeAt(0) - first + by) % 26) + first);
  });

export function base32(text: string): string {
  const bits = [...bytes(text)].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{5}/g) ?? [])
    .map((five) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Number.parseInt(five, 2)] ?? "")
    .join("");
}

export function base58(text: string): string {
  const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
  let written = "";
  for (let value = BigInt(`0x${bytes(text).toString("hex") || "0"}`); value > 0n; value /= 58n)
    written = (alphabet[Number(value % 58n)] ?? "") + written;
  return written;
}

export function ascii85(text: string): string {
  const padded = Buffer.concat([bytes(text), Buffer.alloc((4 - (bytes(text).length % 4)) % 4)]);
  let written = "";
  for (let at = 0; at < padded.length; at += 4) {
    const value = padded.readUInt32BE(at);
    for (let digit = 4; digit >= 0; digit -= 1)
      written += String.fromCharCode(33 + (Math.floor(value / 85 ** digit) % 85));
  }
  return written;
}
