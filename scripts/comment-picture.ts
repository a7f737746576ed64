import { readFile } from "node:fs/promises";
import markdownIt from "markdown-it";
import { launchChromium } from "../test/support/board/browser.ts";

const STYLE = `
  body { margin: 0; padding: 24px; background: #fff; color: #1f2328; font: 14px/1.5 -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; }
  main { border: 1px solid #d1d9e0; border-radius: 6px; width: 760px; }
  header { background: #f6f8fa; border-bottom: 1px solid #d1d9e0; border-radius: 6px 6px 0 0; padding: 8px 16px; color: #59636e; }
  header b { color: #1f2328; }
  article { padding: 4px 16px 12px; }
  h3 { font-size: 16px; margin: 18px 0 8px; } p, ul, table { margin: 8px 0; }
  blockquote { margin: 8px 0; padding: 0 1em; color: #59636e; border-left: 4px solid #d1d9e0; }
  code { background: #818b981f; border-radius: 6px; padding: 2px 6px; font: 12px ui-monospace, "DejaVu Sans Mono", monospace; }
  pre { background: #f6f8fa; border-radius: 6px; padding: 12px; } pre code { background: none; padding: 0; }
  table { border-collapse: collapse; } th, td { border: 1px solid #d1d9e0; padding: 4px 12px; }
  ul { padding-left: 24px; } details { color: #59636e; margin: 8px 0; }
`;

/**
 * Draws a published comment as a page shows it: the Markdown of `comment.md`, rendered by markdown-it in Chromium, up to its
 * evidence.
 */
export async function commentPicture(file: string, picture: string): Promise<void> {
  const markdown = await readFile(file, "utf8");
  const [shown = ""] = markdown.replace(/<!--[^]*?-->/g, "").split("<details>");
  const body = markdownIt().render(shown).replaceAll("[ ] ", "☐ ");
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 808, height: 600 } });
    const header = "<header><b>afk-triage</b> commented</header>";
    await page.setContent(
      `<!doctype html><style>${STYLE}</style><main>${header}<article>${body}</article></main>`,
    );
    await page.screenshot({ path: picture, fullPage: true });
  } finally {
    await browser.close();
  }
}
