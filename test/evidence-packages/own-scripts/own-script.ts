/** A script with its claim. */
export interface OwnScript {
  readonly name: string;
  /** One of `OWN_PACKAGES`. */
  readonly package: string;
  readonly exitCode: number;
  readonly text: string | null;
  readonly script: string;
}

export function genuine(
  name: string,
  product: string,
  exitCode: number,
  text: string | null,
  script: string,
): OwnScript {
  return { name, package: product, exitCode, text, script: `#!/bin/sh${script}\n` };
}

export function cheat(
  name: string,
  product: string,
  script: string,
  text = "slug is broken",
  exitCode = 1,
): OwnScript {
  return genuine(name, product, exitCode, text, script);
}
