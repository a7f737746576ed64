/**
 * Returns the page of a static report, made from the page that `serve` sends. Under file:// browsers disagree on
 * 'self', so a nonce permits the page's own script, style sheet and data files, and nothing else.
 */
export function reportPage(page: string, nonce: string, dataFile: string): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "img-src 'self' file: data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return page
    .replace(/<html\b/, () => `<html data-report="${dataFile}"`)
    .replace(
      /<meta\s+charset="utf-8"\s*\/?>/,
      (charset) => `${charset}\n    <meta http-equiv="Content-Security-Policy" content="${policy}" />`,
    )
    .replace(/<meta\s+name="csp-nonce"[^>]*>/, () => `<meta name="csp-nonce" content="${nonce}" />`)
    .replaceAll(/<(script|link)\b/g, (_, name: string) => `<${name} nonce="${nonce}"`);
}
