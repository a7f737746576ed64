export * from "./delivery-inbox.ts";
export * from "./plan-delivery.ts";
export * from "./receiver.ts";
export * from "./serve-webhooks.ts";
