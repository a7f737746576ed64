/**
 * Runs the fixture Triage Agent that the issue's title names, at the pace of the title's last word. argv[2]: a file that exists
 * once the faults are over.
 */
import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { issue } from "../../fixtures/agents/contract.mjs";

const pace = issue.title.split(" ").at(-1);
if (pace === "a-while") await delay(400);
if (pace === "slowly") while (!existsSync(process.argv[2])) await delay(50);
await import("../../fixtures/agents/by-title.mjs");
