import type { Definition, Nodes, Parents, PhrasingContent, Root, RootContent } from "mdast";
import { inertLink, type LinkRules } from "./inert-link.ts";
import { endsWithClosingKeyword, inertText } from "./inert-text.ts";
import { textOf, visitNodes, withoutOrders } from "./markdown.ts";
import { redactSecrets } from "./secrets.ts";

/** The tree without anything GitHub would act on: see `sanitiseOutbound`. */
export function inertTree(tree: Root, rules: LinkRules): Root {
  const definitions = new Map<string, Definition>();
  visitNodes(tree, (node) => {
    if (node.type === "definition" && !definitions.has(node.identifier))
      definitions.set(node.identifier, node);
  });
  const context: Context = { rules, urlOf: (identifier) => definitions.get(identifier)?.url ?? "" };
  return { type: "root", children: tree.children.flatMap((child) => block(child, context)) };
}

interface Context {
  rules: LinkRules;
  urlOf: (identifier: string) => string;
}

function block(node: RootContent, context: Context): RootContent[] {
  switch (node.type) {
    case "paragraph":
      return [{ type: "paragraph", children: phrases(node.children, context) }];
    // A heading could pass for a section of ours.
    case "heading":
      return [
        { type: "paragraph", children: [{ type: "strong", children: phrases(node.children, context) }] },
      ];
    case "html":
      return [{ type: "paragraph", children: phrases([node], context) }];
    case "code":
      return [
        { type: "code", lang: safeLanguage(node.lang), value: withoutOrders(redactSecrets(node.value)) },
      ];
    case "listItem":
      // A ticked box could pass for somebody's approval.
      return [{ ...inner(node, context), checked: null }];
    case "blockquote":
    case "list":
    case "table":
    case "tableRow":
      return [inner(node, context)];
    case "tableCell":
      return [{ type: "tableCell", children: phrases(node.children, context) }];
    case "footnoteDefinition":
      return node.children.flatMap((child) => block(child, context));
    case "thematicBreak":
      return [{ type: "thematicBreak" }];
    case "definition":
    case "yaml":
      return [];
    case "break":
    case "delete":
    case "emphasis":
    case "footnoteReference":
    case "image":
    case "imageReference":
    case "inlineCode":
    case "link":
    case "linkReference":
    case "strong":
    case "text":
      break;
  }
  return [{ type: "paragraph", children: phrases([node], context) }];
}

function inner<Node extends Parents>(node: Node, context: Context): Node {
  return withChildren(
    node,
    (node.children as RootContent[]).flatMap((child) => block(child, context)),
  );
}

function phrases(nodes: readonly PhrasingContent[], context: Context, preceding = ""): PhrasingContent[] {
  const redacted = redactedWhole(nodes) ?? redactedWhole(nodes.filter(({ type }) => type !== "html"));
  if (redacted !== null) return inertText(redacted, context.rules, preceding);
  let before = preceding;
  return withoutMathematics(
    joinTexts(nodes.flatMap((node) => literal(node, context))).flatMap((node) => {
      const parts = phrase(node, before, context);
      before += node.type === "break" ? "\n" : textOf(node);
      return parts;
    }),
  );
}

/** GitHub also reads a code span between dollar signs as a formula. */
function withoutMathematics(nodes: readonly PhrasingContent[]): PhrasingContent[] {
  return nodes.map((node, index) => {
    if (node.type !== "text") return node;
    const isAfterCode = nodes[index - 1]?.type === "inlineCode" && node.value.startsWith("$");
    const isBeforeCode = nodes[index + 1]?.type === "inlineCode" && node.value.endsWith("$");
    return { ...node, value: `${isAfterCode ? " " : ""}${node.value}${isBeforeCode ? " " : ""}` };
  });
}

/** S18: markup between its characters, or an entity for one of them, hides a token only from a search of the source. */
function redactedWhole(nodes: readonly PhrasingContent[]): string | null {
  const whole = nodes.map(textOf).join("");
  const redacted = redactSecrets(whole);
  return redacted === whole ? null : redacted;
}

function phrase(node: PhrasingContent, before: string, context: Context): PhrasingContent[] {
  switch (node.type) {
    case "text":
      return inertText(node.value, context.rules, before);
    case "inlineCode":
      return [{ type: "inlineCode", value: node.value }];
    case "break":
      return [{ type: "break" }];
    case "emphasis":
    case "strong":
    case "delete":
      return [withChildren(node, phrases(node.children, context, before))];
    case "link":
      return inertLink(node, phrases(node.children, context), {
        rules: context.rules,
        isClosing: endsWithClosingKeyword(before),
      });
    case "footnoteReference":
    case "html":
    case "image":
    case "imageReference":
    case "linkReference":
      break;
  }
  return inertText(textOf(node), context.rules, before);
}

/** Everything that is not prose, code or a link, as the text it stands for. */
function literal(node: PhrasingContent, context: Context): PhrasingContent[] {
  switch (node.type) {
    case "html":
      return [{ type: "text", value: node.value }];
    case "image":
    case "imageReference":
      return [{ type: "text", value: "(image removed)" }];
    case "footnoteReference":
      return [{ type: "text", value: `(note ${node.identifier})` }];
    case "linkReference":
      return [{ type: "link", url: context.urlOf(node.identifier), children: node.children }];
    case "break":
    case "delete":
    case "emphasis":
    case "inlineCode":
    case "link":
    case "strong":
    case "text":
      break;
  }
  return [node];
}

function joinTexts(nodes: readonly PhrasingContent[]): PhrasingContent[] {
  const joined: PhrasingContent[] = [];
  for (const node of nodes) {
    const last = joined.at(-1);
    if (node.type === "text" && last?.type === "text") {
      joined[joined.length - 1] = { type: "text", value: last.value + node.value };
    } else joined.push(node);
  }
  return joined;
}

function withChildren<Node extends Nodes>(node: Node, children: readonly Nodes[]): Node {
  return { ...node, children, position: undefined };
}

/** GitHub draws some languages as diagrams, maps, formulas or edits; those stay code. */
function safeLanguage(language: string | null | undefined): string | null {
  const isDrawn = /^(?:mermaid|geojson|topojson|stl|math|suggestion)$/i.test(language ?? "");
  return language && !isDrawn && /^[\w+#.-]{1,30}$/.test(language) ? language : null;
}
