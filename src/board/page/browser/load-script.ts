import { pageNonce } from "./strict-styles.ts";

/**
 * Runs a classic script from the page's own directory; from file://, no other kind of script runs. Rejects when it cannot be
 * loaded.
 */
export function loadScript(source: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.nonce = pageNonce();
    script.src = source;
    script.addEventListener("load", () => resolve());
    script.addEventListener("error", () => reject(new Error(`the script ${source} could not be loaded`)));
    document.head.append(script);
  });
}
