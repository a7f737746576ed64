import { existsSync } from "node:fs";
import { type Browser, chromium, firefox, type Page } from "playwright-core";

/** `AFK_TEST_BROWSER=firefox` runs the page's tests in Firefox (`npm run test:firefox`). */
export const isFirefox = process.env["AFK_TEST_BROWSER"] === "firefox";

/** Debian's Chromium packages. The headless one uses three quarters of the CPU time of the other. */
const CHROMIUMS = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];
export const chromiumPath =
  process.env["CHROMIUM"] ?? CHROMIUMS.find((path) => existsSync(path)) ?? "/usr/bin/chromium";

/** The browser's path; CHROMIUM and FIREFOX override Debian's. */
export const browserPath = isFirefox ? (process.env["FIREFOX"] ?? "/usr/bin/firefox-esr") : chromiumPath;

export const hasBrowser = existsSync(browserPath);
/** Whether Chromium is installed, for checks that only Chromium supports, whichever browser the tests use. */
export const hasChromium = existsSync(chromiumPath);

export type Media = Pick<NonNullable<Parameters<Page["emulateMedia"]>[0]>, "colorScheme" | "reducedMotion">;

/** `media` is for Firefox ESR 153, whose protocol has no command for it; for Chromium `emulateMedia` is used. */
export function launchBrowser(media: Media = {}, downloadsPath?: string): Promise<Browser> {
  return isFirefox ? launchFirefox(media, downloadsPath) : launchChromium();
}

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

/**
 * Launches Debian's unmodified Firefox over WebDriver BiDi, because Playwright's own protocol needs a Firefox that Playwright has
 * patched.
 */
function launchFirefox({ colorScheme, reducedMotion }: Media, downloadsPath?: string): Promise<Browser> {
  return firefox.launch({
    executablePath: browserPath,
    channel: "moz-firefox",
    ...(downloadsPath === undefined ? {} : { downloadsPath }),
    firefoxUserPrefs: {
      "ui.systemUsesDarkTheme": colorScheme === "dark" ? 1 : 0,
      "ui.prefersReducedMotion": reducedMotion === "reduce" ? 1 : 0,
    },
  });
}
