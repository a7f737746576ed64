/** A parent for local-reap.test.ts: it takes a Coder workspace, starts processes in it, prints its id, and waits to be killed. */
import { parentIdentity } from "../../src/workspaces/index.ts";
import { createdWorkspace, localProvider } from "./local-subject.ts";

const [root = ""] = process.argv.slice(2);
const parent = await parentIdentity();
const workspace = await createdWorkspace(localProvider(root, parent), parent);
const ready = await workspace.ready(AbortSignal.timeout(30_000), () => {});
void ready.exec("setsid nohup sleep 3000 >/dev/null 2>&1 & touch up; wait", { timeoutMs: 3_600_000 });
await ready.exec("until [ -e up ]; do sleep 0.05; done", { timeoutMs: 30_000 });
process.stdout.write(`${workspace.id}\n`);
