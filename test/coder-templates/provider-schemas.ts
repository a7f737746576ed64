/**
 * The part of the providers' schemas that our templates use. An attribute is `true`; a nested block has its own schema.
 *
 * Sources: docs/resources/{agent,script,env,metadata}.md and docs/data-sources/*.md of coder/terraform-provider-coder v2.18.0
 * (attribute names also in provisioner/terraform/resources.go of coder/coder v2.35.1); docs/resources/container.md of
 * kreuzwerker/terraform-provider-docker v3; pod_v1 and network_policy_v1 of the 2.x documentation of
 * hashicorp/terraform-provider-kubernetes.
 */
export interface BlockSchema {
  [name: string]: true | BlockSchema;
}

function attributes(...names: readonly string[]): BlockSchema {
  return Object.fromEntries(names.map((name) => [name, true]));
}

const METADATA = attributes("name", "namespace", "labels", "annotations");
const SELECTOR = attributes("match_labels");

export const DATA_SCHEMAS: Record<string, BlockSchema> = {
  coder_parameter: attributes(
    "name",
    "display_name",
    "description",
    "type",
    "default",
    "mutable",
    "ephemeral",
    "order",
  ),
  coder_workspace_preset: {
    ...attributes("name", "default", "parameters"),
    prebuilds: { ...attributes("instances"), expiration_policy: attributes("ttl") },
  },
  coder_provisioner: {},
  coder_workspace: {},
};

/** Attributes that expressions may read. */
export const DATA_RESULTS: Record<string, readonly string[]> = {
  coder_parameter: ["value"],
  coder_provisioner: ["arch", "os"],
  coder_workspace: ["id", "name", "start_count", "access_url", "is_prebuild", "is_prebuild_claim"],
};

export const RESOURCE_SCHEMAS: Record<string, BlockSchema> = {
  coder_agent: {
    ...attributes(
      "os",
      "arch",
      "dir",
      "env",
      "connection_timeout",
      "startup_script_behavior",
      "api_key_scope",
    ),
    display_apps: attributes(
      "vscode",
      "vscode_insiders",
      "web_terminal",
      "ssh_helper",
      "port_forwarding_helper",
    ),
    resources_monitoring: {
      memory: attributes("enabled", "threshold"),
      volume: attributes("enabled", "path", "threshold"),
    },
  },
  coder_env: attributes("agent_id", "name", "value"),
  coder_script: attributes(
    "agent_id",
    "display_name",
    "script",
    "run_on_start",
    "start_blocks_login",
    "timeout",
  ),
  coder_metadata: {
    ...attributes("resource_id", "daily_cost"),
    item: attributes("key", "value", "sensitive"),
  },
  docker_container: {
    ...attributes(
      "name",
      "image",
      "entrypoint",
      "command",
      "env",
      "user",
      "hostname",
      "init",
      "restart",
      "must_run",
    ),
    ...attributes("memory", "memory_swap", "cpu_shares", "cgroup_parent", "ipc_mode", "security_opts"),
    ...attributes("destroy_grace_seconds"),
    capabilities: attributes("add", "drop"),
    networks_advanced: attributes("name", "aliases"),
    mounts: attributes("type", "source", "target", "read_only"),
    labels: attributes("label", "value"),
  },
  kubernetes_network_policy_v1: {
    metadata: METADATA,
    spec: {
      ...attributes("policy_types"),
      pod_selector: SELECTOR,
      egress: {
        to: { ip_block: attributes("cidr", "except"), namespace_selector: SELECTOR, pod_selector: SELECTOR },
        ports: attributes("port", "protocol"),
      },
    },
  },
  kubernetes_pod_v1: {
    metadata: METADATA,
    spec: {
      ...attributes("active_deadline_seconds", "restart_policy", "termination_grace_period_seconds"),
      ...attributes("automount_service_account_token", "enable_service_links", "runtime_class_name"),
      ...attributes("host_network", "host_pid", "host_ipc"),
      security_context: {
        ...attributes("run_as_non_root", "run_as_user", "run_as_group", "fs_group"),
        seccomp_profile: attributes("type"),
      },
      container: {
        ...attributes("name", "image", "image_pull_policy", "command", "working_dir"),
        security_context: {
          ...attributes("allow_privilege_escalation", "privileged"),
          capabilities: attributes("add", "drop"),
        },
        env: {
          ...attributes("name", "value"),
          value_from: { secret_key_ref: attributes("name", "key", "optional") },
        },
        resources: attributes("requests", "limits"),
        volume_mount: attributes("name", "mount_path"),
      },
      volume: { ...attributes("name"), empty_dir: attributes("medium", "size_limit") },
    },
  },
};
