import { createVirtualClock } from "agent-tty/testing";
import { startEmulatedGithub } from "../support/github/emulated-github.ts";
import { createFakeGithub } from "../support/github/fake-github.ts";
import { labelContract } from "../support/github/label-contract.ts";

labelContract("the fake", async () => createFakeGithub({ clock: createVirtualClock() }));
labelContract("Octokit on the emulated GitHub", () => startEmulatedGithub());
