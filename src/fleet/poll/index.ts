export * from "./reconciling-poll.ts";
