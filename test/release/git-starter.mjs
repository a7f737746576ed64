/**
 * Starts git for the release tests in a small process: a start copies the page tables of the starting process, and a test worker
 * has many. It sends one message for each message it receives, and ends when its channel closes.
 */
import { spawn } from "node:child_process";
import { Buffer } from "node:buffer";

process.on("message", ({ id, args, cwd, env, input }) => {
  const child = spawn("git", args, { cwd, env, stdio: [input === null ? "ignore" : "pipe", "pipe", "pipe"] });
  const [stdout, stderr] = [[], []];
  child.stdout.on("data", (chunk) => stdout.push(chunk));
  child.stderr.on("data", (chunk) => stderr.push(chunk));
  // A program that ends without reading its input reports that by its exit code.
  child.stdin?.on("error", () => undefined).end(input);
  const answer = (exitCode) =>
    process.send({
      id,
      exitCode,
      stdout: Buffer.concat(stdout).toString("base64"),
      stderr: Buffer.concat(stderr).toString("utf8"),
    });
  child.on("error", (error) => {
    stderr.push(Buffer.from(error.message));
    answer(-1);
  });
  child.on("close", (code) => child.pid !== undefined && answer(code ?? -1));
});
process.on("disconnect", () => process.exit(0));
