import { spawn } from "node:child_process";
import { once } from "node:events";
import { hostname } from "node:os";
import { describe, expect, test } from "vitest";
import { parentIdentity, parentState, type ParentSystem } from "../../src/workspaces/index.ts";

const systems: ParentSystem[] = [
  { hostname: hostname(), platform: process.platform },
  // The method for systems without /proc works here as well.
  { hostname: hostname(), platform: "darwin" },
];

describe.each(systems)("parentState with the method of $platform (T5)", (system) => {
  test("this process is alive, and its identity has three parts", async () => {
    const identity = await parentIdentity(process.pid, system);
    expect(identity).toMatch(new RegExp(`^[^/]+/${process.pid}/[^/\\s]+$`));
    expect(await parentState(identity, system)).toBe("alive");
  });

  test("a process whose pid is used again is dead", async () => {
    const identity = await parentIdentity(process.pid, system);
    expect(await parentState(`${identity}9`, system)).toBe("dead");
  });

  test("a process that has ended is dead, whether it was waited for or not", async () => {
    // The shell stops after its child has ended, so the child stays a zombie.
    const shell = spawn("bash", ["-c", "sleep 60 & echo $!; kill -STOP $$"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    const exited = once(shell, "exit");
    const [line] = (await once(shell.stdout, "data")) as [Buffer];
    const pid = Number(line.toString());
    const identities = [await parentIdentity(pid, system), await parentIdentity(shell.pid, system)];
    process.kill(pid, "SIGKILL");
    await expect.poll(() => parentState(identities[0] ?? "", system)).toBe("dead");
    shell.kill("SIGKILL");
    await exited;
    expect(await parentState(identities[1] ?? "", system)).toBe("dead");
  });

  test("another machine, another boot and nonsense are unknown", async () => {
    const identity = await parentIdentity(process.pid, system);
    const elsewhere = { ...system, hostname: "another-machine" };
    expect(await parentState(identity, elsewhere)).toBe("unknown");
    for (const text of ["", "x", "a/b/c", `${hostname()}/0/1`, `${hostname()}/1/`, `${hostname()}/-1/5`])
      expect([text, await parentState(text, system)]).toEqual([text, "unknown"]);
    if (system.platform === "linux")
      expect(await parentState(`${hostname()}/${process.pid}/other-boot.1.5`, system)).toBe("unknown");
  });
});
