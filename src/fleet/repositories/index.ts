export * from "./followed-repositories.ts";
export * from "./repository-change.ts";
