export * from "./package-folder.ts";
export * from "./template.ts";
