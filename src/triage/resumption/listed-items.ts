/** Returns the items of the list under one heading of our comment templates, each as one line. */
export function listUnder(heading: "Established" | "What is needed", notesBody: string): string[] {
  const section = new RegExp(`^### ${heading}[^\\n]*\\n([\\s\\S]*?)(?=^### |(?![\\s\\S]))`, "m");
  const text = section.exec(notesBody)?.[1] ?? "";
  return text
    .split(/^(?:- |\d+\. )/m)
    .slice(1)
    .map((item) => (item.split(/\n(?! {2})/)[0] ?? "").replaceAll(/\s+/g, " ").trim())
    .filter((item) => item !== "");
}
