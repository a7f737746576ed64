export * from "./render-comment.ts";
