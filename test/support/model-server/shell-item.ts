/** A call of the tool with which a version of Codex runs shell commands. */
export type ShellItem = { call_id: string; name: string } & (
  | { type: "function_call"; arguments: string }
  | { type: "custom_tool_call"; input: string }
);

/** Returns a call that runs `input.command`; with `asksFirst` it requests to leave the sandbox. */
export function shellItem(
  input: Record<string, unknown>,
  tools: ReadonlyMap<string, string>,
  call_id: string,
  asksFirst: boolean,
): ShellItem {
  const command = String(input["command"]);
  const escalation = asksFirst
    ? { sandbox_permissions: "require_escalated", justification: "It needs to write outside the sandbox." }
    : {};
  if (tools.get("exec") === "custom") {
    const script = `const r = await tools.exec_command(${JSON.stringify({ cmd: command, ...escalation })});\ntext(r);`;
    return { type: "custom_tool_call", call_id, name: "exec", input: script };
  }
  const call = (name: string, body: object): ShellItem => ({
    type: "function_call",
    call_id,
    name,
    arguments: JSON.stringify(body),
  });
  if (tools.has("exec_command")) return call("exec_command", { cmd: command, ...escalation });
  if (tools.has("shell_command")) return call("shell_command", { command, ...escalation });
  if (tools.has("shell")) return call("shell", { command: ["bash", "-lc", command], ...escalation });
  throw new Error(
    `this version of Codex runs commands by none of the known tools: ${[...tools.keys()].join(", ")}`,
  );
}
