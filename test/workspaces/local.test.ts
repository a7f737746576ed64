import { localSubject } from "./local-subject.ts";
import { providerContract } from "./provider-contract.ts";

providerContract("the local provider", localSubject);
