import type { LanguageAdapters } from "../../../evidence/index.ts";
import { readTemplate } from "../../package-folder.ts";

/** Returns this installation's programs in `templates/controls`. */
export function languageAdapters(): LanguageAdapters {
  return {
    javascript: readTemplate("controls/javascript.cjs"),
    python: readTemplate("controls/python.py"),
  };
}
