import { TextDocument } from "vscode-languageserver-textdocument";
import { loadLanguageService } from "./language-service.ts";
import { PINNED_ACTIONS } from "./pinned-actions.ts";
import type { WorkflowFile } from "./workflow-files.ts";

const { clearCache, registerLogger, validate } = await loadLanguageService();

/** The language service logs its own crash and then reports no finding, which must not look like a valid file. */
const crashes: string[] = [];
const ignore = (): void => {};
registerLogger({ error: (message) => crashes.push(message), warn: ignore, info: ignore, log: ignore });

/**
 * Returns the findings of GitHub's own language service: schema, expressions, contexts, job dependencies, inputs of pinned
 * actions.
 */
export async function diagnose({ path, text }: WorkflowFile): Promise<string[]> {
  // The language service caches parsed files by path.
  clearCache();
  const document = TextDocument.create(`file:///repository/${path}`, "yaml", 1, text);
  const diagnostics = await validate(document, {
    actionsMetadataProvider: {
      fetchActionMetadata: async ({ owner, name, path }) => {
        const action =
          PINNED_ACTIONS[[owner, name, ...(path === undefined || path === "" ? [] : [path])].join("/")];
        if (action === undefined) return undefined;
        const inputs = Object.fromEntries(action.inputs.map((input) => [input, { description: input }]));
        return { name, description: name, inputs };
      },
    },
  });
  const found = diagnostics.map(({ range, message }) => {
    const text = typeof message === "string" ? message : message.value;
    return `${path}:${range.start.line + 1}: ${text}`;
  });
  return [...found, ...crashes.splice(0)];
}
