import { parentIdentity } from "../../src/workspaces/index.ts";
import { connect, startCoderStandIn } from "../support/coder/index.ts";
import { providerContract } from "./provider-contract.ts";

providerContract("the Coder adapter on the stand-in", async () => {
  const standIn = await startCoderStandIn();
  const provider = connect(standIn);
  const secondParent = connect(standIn);
  return {
    provider,
    secondParent,
    namePrefix: "product-triage",
    parent: await parentIdentity(),
    processes: "remote",
    [Symbol.asyncDispose]: () => standIn[Symbol.asyncDispose](),
  };
});
