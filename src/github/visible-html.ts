import type { FlagRecorder } from "./hidden-text.ts";

export const HIDDEN_COMMENT_NOTICE = "(hidden comment removed)";

const COMMENTS = /<!--[\s\S]*?(?:-->|$)|<![A-Za-z[][\s\S]*?(?:>|$)|<\?[\s\S]*?(?:\?>|$)/g;
const TAGS = /<(\/?)([A-Za-z][A-Za-z0-9-]*)((?:"[^"]*"|'[^']*'|[^'"<>])*)>/g;
/** Attributes for link targets and sizes, which never contain prose. */
const KEPT_ATTRIBUTES =
  /\s(?:href|src|width|height|open|align)(?:\s*=\s*(?:"[^"\s]*"|'[^'\s]*'|[^\s"'<>]+))?(?=\s|\/|$)/gi;
/** Elements whose content GitHub drops or never shows. */
const UNSEEN =
  /^(?:script|style|template|noscript|iframe|noembed|noframes|plaintext|xmp|textarea|title|svg|math|object|select|rp)$/i;

/**
 * The elements of https://html.spec.whatwg.org/#elements-3 and the obsolete elements that are still rendered. Browsers drop any
 * other tag and do not show its name.
 */
const KNOWN = new RegExp(
  `^(?:${[
    "a|abbr|acronym|address|area|article|aside|audio|b|base|basefont|bdi|bdo|big|blockquote|body|br|button|canvas|caption|center",
    "cite|code|col|colgroup|data|datalist|dd|del|details|dfn|dialog|dir|div|dl|dt|em|embed|fieldset|figcaption|figure|font|footer",
    "form|frame|frameset|h[1-6]|head|header|hgroup|hr|html|i|img|input|ins|kbd|label|legend|li|link|main|map|mark|marquee|menu|meta",
    "meter|nav|nobr|ol|optgroup|option|output|p|param|picture|pre|progress|q|rb|rp|rt|rtc|ruby|s|samp|search|section|slot|small",
    "source|span|strike|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|time|tr|track|tt|u|ul|var|video|wbr|g-emoji",
  ].join("|")})$`,
  "i",
);

/**
 * Returns raw HTML as its reader on GitHub sees it: comments and attributes that contain text are removed, and elements that
 * GitHub does not show lose their tags (the text stays, now visible). Folded sections are recorded.
 */
export function visibleHtml(html: string, recorder: FlagRecorder): string {
  const uncommented = html.replaceAll(COMMENTS, (comment) => {
    recorder.record("html-comment", comment);
    return HIDDEN_COMMENT_NOTICE;
  });
  const tagged = uncommented.replaceAll(TAGS, (_tag, slash: string, name: string, rest: string) => {
    if (UNSEEN.test(name)) {
      if (slash === "") recorder.record("hidden-html", name);
      return "";
    }
    if (!KNOWN.test(name)) {
      recorder.record("hidden-html", `${slash}${name} ${rest}`);
      // The tag's text becomes visible, because it could be words.
      return `&lt;${slash}${name}${rest.replaceAll(/["'=]/g, " ")}&gt;`;
    }
    if (/^details$/i.test(name) && slash === "") recorder.record("folded-section", name);
    const kept = (rest.match(KEPT_ATTRIBUTES) ?? []).join("");
    const dropped = rest
      .replaceAll(KEPT_ATTRIBUTES, "")
      .replaceAll(/[\s/]+/g, " ")
      .trim();
    if (dropped !== "") recorder.record("html-attribute", dropped);
    return `<${slash}${name}${slash === "" ? kept : ""}>`;
  });
  // A tag that remains here has no end, so browsers drop it with everything after it.
  return tagged.replaceAll(/<(?![/]?[A-Za-z][A-Za-z0-9-]*(?:\s[^<>]*)?>)(?=[A-Za-z/!?])/g, () => {
    recorder.record("hidden-html", "a tag that never ends");
    return "&lt;";
  });
}
