import { createVirtualClock } from "agent-tty/testing";
import { startEmulatedGithub } from "../support/github/emulated-github.ts";
import { createFakeGithub } from "../support/github/fake-github.ts";
import { githubContract } from "../support/github/github-contract.ts";

githubContract("the fake", async () => createFakeGithub({ clock: createVirtualClock() }));
githubContract("Octokit on the emulated GitHub", () => startEmulatedGithub());
