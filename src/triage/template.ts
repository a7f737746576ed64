/** Values by placeholder name. They are data: braces in a value are not expanded. */
export type TemplateValues = Readonly<Record<string, string>>;

/**
 * Fills a template. `{{name}}` inserts a value; `{{#name}} … {{/name}}` keeps its lines only when the value is not empty
 * (sections do not nest). Only the template is scanned, once, and never a value, so that untrusted text is never expanded (S3).
 * Throws when a name has no value, because that is a bug.
 */
export function fillTemplate(template: string, values: TemplateValues): string {
  const valueOf = (name: string): string => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) throw new Error(`the template asks for {{${name}}}, which has no value`);
    return value;
  };
  return template
    .split(SECTION)
    .map((part, index, parts) => {
      // The split by two groups returns: text, name, section, text, name, section, …, text.
      if (index % 3 === 1) return "";
      if (index % 3 === 2 && valueOf(parts[index - 1] ?? "") === "") return "";
      return part.replaceAll(PLACEHOLDER, (_, name: string) => valueOf(name));
    })
    .join("");
}

const SECTION = /^\{\{#([a-z-]+)\}\}\n([\s\S]*?)^\{\{\/\1\}\}\n/m;
const PLACEHOLDER = /\{\{([a-z-]+)\}\}/g;
