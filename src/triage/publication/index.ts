export * from "./apply-publication.ts";
export * from "./plan-publication.ts";
export * from "./publication-target.ts";
export * from "./apply-undo.ts";
export * from "./proposal.ts";
export * from "./restrain.ts";
