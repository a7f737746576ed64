import { createVirtualClock } from "agent-tty/testing";
import { startEmulatedGithub } from "../support/github/emulated-github.ts";
import { createFakeGithub } from "../support/github/fake-github.ts";
import { githubContract } from "../support/github/github-contract.ts";
import { pullRequestContract } from "../support/github/pull-request-contract.ts";

githubContract("the fake", async () => createFakeGithub({ clock: createVirtualClock() }));
githubContract("Octokit on the emulated GitHub", () => startEmulatedGithub());
pullRequestContract("the fake", async () => createFakeGithub({ clock: createVirtualClock() }));
pullRequestContract("Octokit on the emulated GitHub", () => startEmulatedGithub());
