import { describe, expect, test } from "vitest";
import { parseTerraform, readTemplateText } from "./template-source.ts";
import { terraformProblems } from "./terraform-problems.ts";

describe("the check finds", () => {
  test.each<[string, string, string, string]>([
    [
      "an attribute that does not exist",
      "api_key_scope",
      "api_key_skope",
      "coder_agent.main has no api_key_skope",
    ],
    ["a block that does not exist", "display_apps {", "display_app {", "coder_agent.main has no display_app"],
    [
      "an attribute of a block that does not exist",
      "ssh_helper  ",
      "ssh_help  ",
      "coder_agent.main.display_apps has no ssh_help",
    ],
    ["a block as an attribute", "capabilities {", "capabilities = {", "is a block, not an attribute"],
    [
      "an option of a machine that does not exist",
      "security_opts ",
      "security_options ",
      "has no security_options",
    ],
    ["a variable that does not exist", "var.network", "var.netwrk", "there is no variable netwrk"],
    [
      "a local that does not exist",
      "tostring(local.machine_seconds)",
      "local.lifetime",
      "there is no local lifetime",
    ],
    ["an unused variable", "name = var.network", 'name = "x"', "var.network is not used"],
    [
      "a parameter that does not exist",
      "coder_parameter.run_id.value",
      "coder_parameter.run.value",
      "coder_parameter.run",
    ],
    [
      "a result that does not exist",
      "coder_workspace.me.start_count",
      "coder_workspace.me.count",
      "me.count",
    ],
    [
      "a resource that does not exist",
      "coder_agent.main.token",
      "coder_agent.dev.token",
      "there is no coder_agent.dev",
    ],
    [
      "a kind that the schemas do not have",
      'resource "coder_env"',
      'resource "coder_app"',
      "coder_app is not in",
    ],
  ])("%s", async (_, good, bad, says) => {
    const text = readTemplateText("docker");
    expect(text).toContain(good);
    const changed = text.replace(good, bad);
    expect(terraformProblems(await parseTerraform(changed)).join("\n")).toContain(says);
  });

  test("text that is not HCL", async () => {
    await expect(parseTerraform(`${readTemplateText("docker")}\nresource "x" {`)).rejects.toThrow("main.tf");
  });
});
