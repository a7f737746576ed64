import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Returns the places that contain one of the secrets, as it is or in an encoding in which it could have leaked; empty if there
 * are none.
 */
export async function findSecrets(
  secrets: Readonly<Record<string, string>>,
  { directory, texts }: { directory: string; texts: Readonly<Record<string, string>> },
): Promise<string[]> {
  const files = await readdir(directory, { recursive: true, withFileTypes: true });
  const found = Object.entries(texts).flatMap(([place, text]) => secretsIn(secrets, place, text));
  for (const file of files.filter((entry) => entry.isFile())) {
    const path = join(file.parentPath, file.name);
    found.push(...secretsIn(secrets, path, await readFile(path, "latin1")));
  }
  return found;
}

function secretsIn(secrets: Readonly<Record<string, string>>, place: string, text: string): string[] {
  return Object.entries(secrets).flatMap(([name, secret]) =>
    Object.entries(shapesOf(secret))
      .filter(([, shape]) => text.includes(shape))
      .map(([kind]) => `${name} (${kind}) in ${place}`),
  );
}

function shapesOf(secret: string): Record<string, string> {
  // Inside a longer text the secret may begin at any of base64's three positions; its first and last characters then depend on
  // the bytes around it.
  const base64 = [0, 1, 2].map((offset) =>
    Buffer.from("\0".repeat(offset) + secret)
      .toString("base64")
      .slice(offset === 0 ? 0 : 4, -4),
  );
  return {
    plain: secret,
    reversed: Buffer.from(secret).reverse().toString("latin1"),
    hex: Buffer.from(secret).toString("hex"),
    ...Object.fromEntries(base64.map((shape, offset) => [`base64+${offset}`, shape])),
  };
}
