import { parentIdentity } from "../../src/workspaces/index.ts";
import { connect, startCoderStandIn, terminalRelay } from "../support/coder/index.ts";
import { providerContract } from "./provider-contract.ts";

for (const [what, optionsOf] of [
  ["the Coder adapter on the stand-in", () => ({})],
  [
    "the Coder adapter on the stand-in, with terminals held by tmux",
    () => ({ terminalRelay: terminalRelay() }),
  ],
] as const)
  providerContract(what, async () => {
    const standIn = await startCoderStandIn();
    const options = optionsOf();
    return {
      provider: connect(standIn, options),
      secondParent: connect(standIn, options),
      namePrefix: "product-triage",
      parent: await parentIdentity(),
      processes: "remote",
      [Symbol.asyncDispose]: () => standIn[Symbol.asyncDispose](),
    };
  });
