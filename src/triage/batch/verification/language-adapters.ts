import type { LanguageAdapters } from "../../../evidence/index.ts";
import { readTemplate } from "../../package-folder.ts";

/** The programs of `templates/controls`, as this installation has them. */
export function languageAdapters(): LanguageAdapters {
  return {
    javascript: readTemplate("controls/javascript.cjs"),
    python: readTemplate("controls/python.py"),
  };
}
