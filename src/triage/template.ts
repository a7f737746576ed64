/** Values by placeholder name. They are data: whatever braces a value holds, it is put in as it is. */
export type TemplateValues = Readonly<Record<string, string>>;

/**
 * `{{name}}` puts a value in; `{{#name}} … {{/name}}` keeps its lines only when the value is not empty (sections do not
 * nest). One pass over the template, never over a value, so that no text from outside is ever expanded (S3). A name
 * without a value is a bug: it throws.
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
      // Split by two groups: text, name, section, text, name, section, …, text.
      if (index % 3 === 1) return "";
      if (index % 3 === 2 && valueOf(parts[index - 1] ?? "") === "") return "";
      return part.replaceAll(PLACEHOLDER, (_, name: string) => valueOf(name));
    })
    .join("");
}

const SECTION = /^\{\{#([a-z-]+)\}\}\n([\s\S]*?)^\{\{\/\1\}\}\n/m;
const PLACEHOLDER = /\{\{([a-z-]+)\}\}/g;
