export * from "./checkpoint.ts";
export * from "./checkpoint-library.ts";
