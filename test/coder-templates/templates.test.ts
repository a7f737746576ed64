import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { deployment, never, request } from "../support/coder/index.ts";
import {
  block,
  type Body,
  CODER,
  parametersOf,
  readTemplate,
  readTemplateText,
  resource,
  type TemplateName,
  TEMPLATES,
} from "./template-source.ts";
import { terraformProblems } from "./terraform-problems.ts";

const MACHINE = { docker: "docker_container", kubernetes: "kubernetes_pod_v1" } as const;

describe.each(TEMPLATES)("coder/%s", (template) => {
  test("uses only names that its providers or the template itself define", async () => {
    expect(terraformProblems(await readTemplate(template))).toEqual([]);
  });

  test("every provider is pinned to one major version", async () => {
    const [terraform = {}] = (await readTemplate(template)).terraform;
    const providers = Object.values(block(terraform, "required_providers")) as { version: string }[];
    expect(providers).toHaveLength(2);
    for (const { version } of providers) expect(version).toMatch(/^~> \d+\.\d+$/);
  });

  test("the program's own preflight accepts the template, and the lease reaches every parameter (T3)", async () => {
    const parameters = await parametersOf(template);
    const templates = [{ name: "triage", agents: ["main"], parameters }];
    await using subject = await deployment({ templates }, { ref: "main" });
    expect((await subject.provider.preflight(never)).warnings).toEqual([]);
    expect((await subject.provider.create(request(), never)).type).toBe("created");
    const created = subject.standIn.requests.find(({ line }) => line.startsWith("POST /users/me/workspaces"));
    const body = created?.body as { rich_parameter_values: { name: string }[] } | undefined;
    expect(body?.rich_parameter_values.map(({ name }) => name).toSorted()).toEqual(
      parameters.map(({ name }) => name).toSorted(),
    );
  });

  test("the lease parameters have defaults and are mutable, so that a claim of a prebuilt Coder workspace can set them (T3)", async () => {
    for (const [name, [body]] of Object.entries(
      (await readTemplate(template)).data["coder_parameter"] ?? {},
    )) {
      expect(body).toMatchObject({ name, type: "string", mutable: true, default: expect.any(String) });
      expect(body).not.toHaveProperty("ephemeral");
    }
  });

  test("the token that the Triage Agent can reach gives no access to the owner's data, and no credential is requested (S8)", async () => {
    const source = await readTemplate(template);
    const agent = resource(source, "coder_agent", "main");
    expect(agent["api_key_scope"]).toBe("no_user_data");
    expect(Object.keys(source.data)).not.toContain("coder_external_auth");
    expect(Object.keys(source.data)).not.toContain("coder_workspace_owner");
    expect(block(agent, "display_apps")).toEqual({
      vscode: false,
      vscode_insiders: false,
      web_terminal: false,
      ssh_helper: false,
      port_forwarding_helper: false,
    });
    // The secret is neither in Terraform's state nor in the API's answer: it is a file of the host or a Secret of the cluster.
    expect(readTemplateText(template)).not.toMatch(/sensitive|session_token|_key\s*=\s*"(?!credential)/);
  });

  test("if nobody is left to delete it, the machine ends with its lease, and nothing starts it again (T5)", async () => {
    const source = await readTemplate(template);
    const { lease_seconds: lease, lifetime_seconds: lifetime } = source.locals[0] as Record<string, string>;
    expect(lease).toContain("data.coder_parameter.afk_lease_seconds.value");
    expect(lifetime).toContain("min(local.lease_seconds, var.max_lifetime_seconds)");
    const { machine_seconds: seconds } = source.locals[0] as Record<string, string>;
    expect(seconds).toBe("${local.is_pooled ? var.max_lifetime_seconds : local.lifetime_seconds}");
    const machine = resource(source, MACHINE[template], "workspace");
    expect(machine["count"]).toBe("${data.coder_workspace.me.start_count}");
    const limits: Record<TemplateName, () => void> = {
      docker: () => {
        expect(machine["entrypoint"]).toEqual(
          expect.arrayContaining(["timeout", "--signal=KILL", "${tostring(local.machine_seconds)}"]),
        );
        expect(machine).toMatchObject({ restart: "no", must_run: false });
      },
      kubernetes: () =>
        expect(block(machine, "spec")).toMatchObject({
          active_deadline_seconds: "${local.machine_seconds}",
          restart_policy: "Never",
        }),
    };
    limits[template]();
  });

  test("a claim of a prebuilt Coder workspace does not change the machine", async () => {
    const source = await readTemplate(template);
    const { name: _name, ...locals } = source.locals[0] ?? {};
    const kinds = Object.entries(source.resource).filter(([type]) => !type.startsWith("coder_"));
    // Annotations of a pod too: an update in place is a patch, which the documented permissions do not allow.
    expect(JSON.stringify(kinds)).not.toMatch(
      /coder_workspace\.me\.name|local\.lifetime_seconds|coder_parameter\./,
    );
    expect(JSON.stringify(locals)).toContain("is_prebuild_claim");
    expect(JSON.stringify(source.locals)).not.toContain("coder_workspace.me.name");
  });

  test("the lease of a claimed Coder workspace counts from the claim; a prebuilt one has no timer", async () => {
    const source = await readTemplate(template);
    expect(resource(source, "coder_script", "lease")).toMatchObject({
      count: "${data.coder_workspace.me.is_prebuild ? 0 : 1}",
      run_on_start: true,
      script: '${templatefile("${path.module}/lease.sh", { seconds = local.lifetime_seconds })}',
    });
    expect(readFileSync(join(CODER, template, "lease.sh"), "utf8")).toBe(
      readFileSync(join(CODER, "docker", "lease.sh"), "utf8"),
    );
    const preset = source.data["coder_workspace_preset"]?.["triage"]?.[0];
    expect(preset).toMatchObject({ name: "triage", default: true });
    // Every parameter is part of the lease, and a preset overrides what afk-triage sends.
    expect(preset).not.toHaveProperty("parameters");
  });

  test("the model's credential has the name that the model's gateway expects", async () => {
    const source = await readTemplate(template);
    expect(source.locals[0]?.["credential_name"]).toBe(
      '${var.model_credential_kind == "auth-token" ? "ANTHROPIC_AUTH_TOKEN" : "ANTHROPIC_API_KEY"}',
    );
    expect(JSON.stringify(resource(source, MACHINE[template], "workspace"))).toContain(
      "local.credential_name",
    );
    expect(readTemplateText(template)).not.toMatch(/coder_workspace_owner|session_token/);
  });

  test("a template creates only the machine, so destroying it is enough (T5)", async () => {
    const kinds = Object.keys((await readTemplate(template)).resource).filter(
      (type) => !type.startsWith("coder_"),
    );
    expect(kinds.toSorted()).toEqual(
      template === "docker" ? ["docker_container"] : ["kubernetes_network_policy_v1", "kubernetes_pod_v1"],
    );
  });

  test("the start-up script has finished before anybody can log in", async () => {
    const source = await readTemplate(template);
    expect(resource(source, "coder_agent", "main")["startup_script_behavior"]).toBe("blocking");
    expect(resource(source, "coder_script", "prepare")).toMatchObject({
      run_on_start: true,
      start_blocks_login: true,
      timeout: 120,
      script: '${file("${path.module}/prepare.sh")}',
    });
    // A template is pushed as one folder, so each has its own copy.
    expect(readFileSync(join(CODER, template, "prepare.sh"), "utf8")).toBe(
      readFileSync(join(CODER, "docker", "prepare.sh"), "utf8"),
    );
  });
});

test("a container has limits, no capabilities, no access to the host, and no way out except its network's (S11)", async () => {
  const container = resource(await readTemplate("docker"), MACHINE.docker, "workspace");
  expect(container).toMatchObject({
    memory: "${var.memory_mb}",
    memory_swap: "${var.memory_mb}",
    user: "10001:10001",
    security_opts: ["no-new-privileges:true"],
    capabilities: [{ drop: ["ALL"] }],
    networks_advanced: [{ name: "${var.network}" }],
  });
  for (const name of ["privileged", "network_mode", "pid_mode", "devices", "volumes", "ports"])
    expect(container).not.toHaveProperty(name);
  const mounts = container["mounts"] as Body[];
  expect(mounts.map(({ source, read_only }) => [source, read_only])).toEqual([
    ["${var.model_credential_directory}", true],
  ]);
});

test("a pod has limits, no capabilities, no access to the host and no credential of the cluster (S11)", async () => {
  const spec = block(resource(await readTemplate("kubernetes"), MACHINE.kubernetes, "workspace"), "spec");
  expect(spec).toMatchObject({
    automount_service_account_token: false,
    host_network: false,
    host_pid: false,
    host_ipc: false,
    security_context: [{ run_as_non_root: true, run_as_user: "10001" }],
    volume: [{ name: "home", empty_dir: [{ size_limit: "${var.disk}" }] }],
  });
  const container = block(spec, "container");
  expect(block(container, "security_context")).toEqual({
    allow_privilege_escalation: false,
    privileged: false,
    capabilities: [{ drop: ["ALL"] }],
  });
  const { limits } = block(container, "resources") as { limits: Record<string, string> };
  expect(
    Object.keys(limits)
      .map((name) => name.replaceAll('"', ""))
      .toSorted(),
  ).toEqual(["cpu", "ephemeral-storage", "memory"]);
});

test("a pod can reach name servers, the allowed addresses, and nothing private; nothing can reach the pod (S11)", async () => {
  const source = await readTemplate("kubernetes");
  const spec = block(resource(source, "kubernetes_network_policy_v1", "workspace"), "spec");
  expect(spec["policy_types"]).toEqual(["Ingress", "Egress"]);
  expect(spec).not.toHaveProperty("ingress");
  expect(block(spec, "egress")).toMatchObject({ ports: [{ port: "53" }, { port: "53" }] });
  const rules = (spec["dynamic"] as { egress: { for_each: string; content: Body[] }[] }).egress;
  // A rule without addresses would allow every address.
  for (const { for_each } of rules)
    expect(for_each).toMatch(/^\$\{length\((var\.\w+)\) == 0 \? \[\] : \[\1\]\}$/);
  expect(JSON.stringify(rules)).toContain('to.value == \\"0.0.0.0/0\\" ? local.private_networks : []');
  expect(source.locals[0]?.["private_networks"]).toEqual(
    expect.arrayContaining(["10.0.0.0/8", "169.254.0.0/16"]),
  );
  const pod = resource(source, MACHINE.kubernetes, "workspace");
  expect(pod["depends_on"]).toEqual(["${kubernetes_network_policy_v1.workspace}"]);
});

test("a pod's image can be named only by its digest (S20)", async () => {
  const [image] = (await readTemplate("kubernetes")).variable["image"] ?? [];
  expect(block(image ?? {}, "validation")["condition"]).toContain("@sha256:[0-9a-f]{64}$");
  expect(image).not.toHaveProperty("default");
});

test("the preflight finds a template whose parameter was renamed (T3)", async () => {
  const declared = await parametersOf("docker");
  const parameters = declared.map(({ name }) => ({ name: name.replace("run_id", "run") }));
  await using subject = await deployment({ templates: [{ name: "triage", parameters }] });
  expect((await subject.provider.preflight(never)).warnings.join()).toContain("no parameter run_id");
});
