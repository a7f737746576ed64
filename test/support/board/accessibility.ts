import axe from "axe-core";
import type { Page } from "playwright-core";

/** A theme and a size of the window. */
export type Look = readonly ["light" | "dark", "phone" | "wide"];

export const looks: readonly Look[] = [
  ["light", "wide"],
  ["dark", "wide"],
  ["dark", "phone"],
  ["light", "phone"],
];
const SIZES = { phone: { width: 360, height: 740 }, wide: { width: 1366, height: 657 } };

/** Gives the page a theme and a size. */
export async function applyLook(page: Page, [colorScheme, size]: Look): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.setViewportSize(SIZES[size]);
}

interface Violation {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}

/**
 * Returns axe's violations on the page as it is: rule, element and what axe says about it. `rules` are the only ones to
 * check; default: all of them.
 */
export async function violationsOf(page: Page, rules?: readonly string[]): Promise<string[]> {
  await page.evaluate(`window.axe === undefined && (() => { ${axe.source} })()`);
  const runOnly = rules === undefined ? {} : { runOnly: { type: "rule", values: rules } };
  const { violations } = await page.evaluate<{ violations: Violation[] }>(
    `axe.run(document, ${JSON.stringify({ resultTypes: ["violations"], ...runOnly })})`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
