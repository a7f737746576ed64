import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** The browser's path; CHROMIUM overrides Debian's. */
export const chromiumPath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

export const hasChromium = existsSync(chromiumPath);

export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--disable-lcd-text",
    ],
  });
}
