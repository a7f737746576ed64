export { applyCheckout, type CheckoutSource, type CheckoutStep, planCheckout, planCopy } from "./checkout.ts";
export { type CheckoutFacts, checkoutSource } from "./checkout-source.ts";
export { isConnectionLoss } from "./connection-loss.ts";
export { openSession, type SessionPorts, sessionPorts, type SessionRequest } from "./open-session.ts";
export { evidenceOf, sessionRunner, type SessionRunner } from "./session-runner.ts";
