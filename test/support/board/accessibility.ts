import axe from "axe-core";
import type { Page } from "playwright-core";
import { propertyRuns } from "../property-runs.ts";

/** A theme and a size of the window. */
type Look = readonly ["light" | "dark", "phone" | "wide"];

/** By default each theme and each size once; with AFK_TEST_RUNS=all every pair of them. */
const looks: readonly Look[] = (
  [
    ["light", "wide"],
    ["dark", "phone"],
    ["dark", "wide"],
    ["light", "phone"],
  ] as const
).slice(0, propertyRuns(2, 4));
/** The rules that depend on the theme. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];
const SIZES = { phone: { width: 360, height: 740 }, wide: { width: 1366, height: 657 } };

/** Gives the page a theme and a size. */
async function applyLook(page: Page, [colorScheme, size]: Look): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.setViewportSize(SIZES[size]);
}

interface Violation {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}

/**
 * Returns axe's violations on the page in its current state: rule, element and axe's description. With `rules` only these are
 * checked, by default all.
 */
async function violationsOf(page: Page, rules?: readonly string[]): Promise<string[]> {
  // The source has half a megabyte, so it is sent once for each document.
  if (await page.evaluate<boolean>("window.axe === undefined")) await page.evaluate(axe.source);
  const runOnly = rules === undefined ? {} : { runOnly: { type: "rule", values: rules } };
  const { violations } = await page.evaluate<{ violations: Violation[] }>(
    `axe.run(document, ${JSON.stringify({ resultTypes: ["violations"], ...runOnly })})`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

/** Returns axe's violations, light and dark, on a phone and on a wide screen; `name` is the view's name in them. */
export async function violationsInAllLooks(page: Page, name: string): Promise<string[]> {
  const found: string[] = [];
  for (const [index, look] of looks.entries()) {
    await applyLook(page, look);
    // The first two looks include each size once; another theme changes only colours.
    const violations = await violationsOf(page, index < 2 ? undefined : COLOUR_RULES);
    found.push(...violations.map((violation) => `${name}, ${look.join(", ")}: ${violation}`));
  }
  return found;
}
