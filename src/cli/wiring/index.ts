export { connectGithub, connectGithubSetup } from "./connect-github.ts";
export { githubCredential } from "./github-credential.ts";
export { outputCleaner } from "./output-cleaner.ts";
export { boundHeapGrowth } from "./parent-heap.ts";
export { createProvider, type WiredPorts, wirePorts } from "./wire-ports.ts";
export { startOwnProgram } from "./start-own-program.ts";
