# A Coder workspace for one Triage Run, as a container. README.md explains its purpose and how to push it.

terraform {
  required_version = ">= 1.5"
  required_providers {
    coder = {
      source  = "coder/coder"
      version = "~> 2.13"
    }
    docker = {
      source  = "kreuzwerker/docker"
      version = "~> 3.6"
    }
  }
}

provider "coder" {}

provider "docker" {
  host = var.docker_host == "" ? null : var.docker_host
}

variable "image" {
  type        = string
  description = "Image built from ../image, preferably by digest: registry.example/afk-triage@sha256:…"
}

variable "docker_host" {
  type        = string
  default     = ""
  description = "Address of the Docker daemon; empty for the provisioner's own."
}

variable "network" {
  type        = string
  default     = "afk-triage"
  description = "An internal Docker network whose only way out is the proxy (README.md)."
}

variable "proxy_url" {
  type        = string
  default     = "http://afk-triage-proxy:3128"
  description = "The proxy on that network; it decides which hosts can be reached."
}

variable "cgroup_parent" {
  type        = string
  default     = ""
  description = "A systemd slice with TasksMax. It is the only limit on processes, since Terraform's provider has none."
}

variable "memory_mb" {
  type    = number
  default = 4096
}

variable "max_lifetime_seconds" {
  type        = number
  default     = 14400
  description = "The longest lifetime of a container, whatever its lease says. It counts from the container's creation, even if it is prebuilt."
}

variable "model_credential_kind" {
  type        = string
  default     = "api-key"
  description = "api-key: the credential is ANTHROPIC_API_KEY; auth-token: ANTHROPIC_AUTH_TOKEN, which Coder's AI Gateway accepts."

  validation {
    condition     = contains(["api-key", "auth-token"], var.model_credential_kind)
    error_message = "Set model_credential_kind to api-key or auth-token."
  }
}

variable "model_base_url" {
  type        = string
  default     = ""
  description = "Address of a model gateway; empty for Claude Code's default. Not a secret."
}

variable "model_credential_directory" {
  type        = string
  default     = "/etc/afk-triage/model"
  description = "A directory on the Docker host with the file `credential`, which only uid 10001 can read. It contains a key that can only call the model."
}

variable "firewall" {
  type        = string
  default     = ""
  description = "landjail: Claude Code runs behind Coder's Agent Firewall as a second layer (Premium, Linux 6.7). Empty: it does not."

  validation {
    condition     = contains(["", "landjail"], var.firewall)
    error_message = "Set firewall to landjail, or leave it empty."
  }
}

variable "firewall_allow" {
  type        = list(string)
  default     = ["domain=api.anthropic.com"]
  description = "Rules of the Agent Firewall, such as domain=registry.npmjs.org method=GET,HEAD. A request that no rule allows is denied."
}

variable "prebuilds" {
  type        = number
  default     = 0
  description = "Prebuilt Coder workspaces that Coder keeps ready (Premium). Give the group `prebuilds` a quota for them."
}

variable "prebuild_ttl_seconds" {
  type        = number
  default     = 7200
  description = "After this time an unclaimed prebuilt Coder workspace is replaced. Together with the longest Triage Run it must stay below max_lifetime_seconds."
}

# --- The lease. afk-triage sets all these parameters; their defaults are for people who try the template. They are mutable because
# --- a claim of a prebuilt Coder workspace sets them after its first build. ---

data "coder_parameter" "run_id" {
  name         = "run_id"
  display_name = "Triage Batch"
  description  = "The batch that holds this lock."
  type         = "string"
  default      = ""
  mutable      = true
  order        = 1
}

data "coder_parameter" "issue_number" {
  name         = "issue_number"
  display_name = "Issue"
  type         = "string"
  default      = ""
  mutable      = true
  order        = 2
}

data "coder_parameter" "repo_url" {
  name         = "repo_url"
  display_name = "Repository"
  type         = "string"
  default      = ""
  mutable      = true
  order        = 3
}

data "coder_parameter" "ref" {
  name         = "ref"
  display_name = "Branch, tag or commit"
  type         = "string"
  default      = ""
  mutable      = true
  order        = 4
}

data "coder_parameter" "afk_parent" {
  name         = "afk_parent"
  display_name = "Parent"
  description  = "The process that runs the batch. Other processes that find this Coder workspace check whether it is alive."
  type         = "string"
  default      = ""
  mutable      = true
  order        = 5
}

data "coder_parameter" "afk_lease_seconds" {
  name         = "afk_lease_seconds"
  display_name = "Lease in seconds"
  description  = "After this time the container is killed, even if no process is left to delete it."
  type         = "string"
  default      = "3600"
  mutable      = true
  order        = 6
}

# With prebuilds = 0 the preset contains only the template's defaults; otherwise Coder (Premium) keeps that many Coder workspaces ready
# to be claimed.
data "coder_workspace_preset" "triage" {
  name    = "triage"
  default = true

  dynamic "prebuilds" {
    for_each = var.prebuilds == 0 ? [] : [var.prebuilds]
    content {
      instances = prebuilds.value
      expiration_policy {
        ttl = var.prebuild_ttl_seconds
      }
    }
  }
}

data "coder_provisioner" "me" {}

data "coder_workspace" "me" {}

locals {
  lease_seconds    = try(floor(tonumber(data.coder_parameter.afk_lease_seconds.value)), 3600)
  lifetime_seconds = max(60, min(local.lease_seconds, var.max_lifetime_seconds))
  # A prebuilt Coder workspace is older than its lease, so its machine gets the longest lifetime, and lease.sh ends it with the lease.
  credential_name = var.model_credential_kind == "auth-token" ? "ANTHROPIC_AUTH_TOKEN" : "ANTHROPIC_API_KEY"
  is_pooled       = data.coder_workspace.me.is_prebuild || data.coder_workspace.me.is_prebuild_claim
  machine_seconds = local.is_pooled ? var.max_lifetime_seconds : local.lifetime_seconds
  proxy_environment = var.proxy_url == "" ? {} : {
    HTTP_PROXY  = var.proxy_url
    HTTPS_PROXY = var.proxy_url
    http_proxy  = var.proxy_url
    https_proxy = var.proxy_url
    NO_PROXY    = "localhost,127.0.0.1"
    no_proxy    = "localhost,127.0.0.1"
  }
}

resource "coder_agent" "main" {
  os                      = "linux"
  arch                    = data.coder_provisioner.me.arch
  dir                     = "/home/triage"
  connection_timeout      = 180
  startup_script_behavior = "blocking"
  # The Triage Agent can reach the token, so the token must not give access to the owner's GitHub token, SSH key or other user data.
  api_key_scope = "no_user_data"

  env = merge(local.proxy_environment, {
    GIT_TERMINAL_PROMPT = "0"
    GIT_CONFIG_NOSYSTEM = "1"
    # /usr/local/sbin/claude of the image reads both.
    AFK_TRIAGE_FIREWALL       = var.firewall
    AFK_TRIAGE_FIREWALL_ALLOW = join("\n", var.firewall_allow)
  })

  display_apps {
    vscode                 = false
    vscode_insiders        = false
    web_terminal           = false
    ssh_helper             = false
    port_forwarding_helper = false
  }

  resources_monitoring {
    memory {
      enabled   = true
      threshold = 90
    }
  }
}

resource "coder_env" "model_base_url" {
  count    = var.model_base_url == "" ? 0 : 1
  agent_id = coder_agent.main.id
  name     = "ANTHROPIC_BASE_URL"
  value    = var.model_base_url
}

# The lease counts from the start of the Coder workspace agent, which starts again at a claim; a prebuilt Coder workspace
# that is not claimed has no lease.
resource "coder_script" "lease" {
  count        = data.coder_workspace.me.is_prebuild ? 0 : 1
  agent_id     = coder_agent.main.id
  display_name = "Lease"
  run_on_start = true
  script       = templatefile("${path.module}/lease.sh", { seconds = local.lifetime_seconds })
}

resource "coder_script" "prepare" {
  agent_id           = coder_agent.main.id
  display_name       = "Prepare"
  run_on_start       = true
  start_blocks_login = true
  timeout            = 120
  script             = file("${path.module}/prepare.sh")
}

resource "docker_container" "workspace" {
  count = data.coder_workspace.me.start_count
  # Use only the id and values that a claim does not change: a changed value would replace the container for no benefit.
  name  = "afk-triage-${data.coder_workspace.me.id}"
  image = var.image

  # The last resort: the container ends even without a parent, a reaper and Coder. Nothing starts it again.
  entrypoint = [
    "timeout", "--signal=KILL", tostring(local.machine_seconds), "bash", "-c",
    <<-EOT
      if [ -r /run/afk-triage/model/credential ]; then
        ${local.credential_name}=$(cat /run/afk-triage/model/credential)
        export ${local.credential_name}
      fi
      ${coder_agent.main.init_script}
    EOT
  ]
  restart  = "no"
  must_run = false
  init     = true

  env = concat(
    ["CODER_AGENT_TOKEN=${coder_agent.main.token}"],
    [for name, value in local.proxy_environment : "${name}=${value}"],
  )

  user          = "10001:10001"
  hostname      = "afk-triage-${substr(data.coder_workspace.me.id, 0, 8)}"
  memory        = var.memory_mb
  memory_swap   = var.memory_mb
  cpu_shares    = 512
  cgroup_parent = var.cgroup_parent == "" ? null : var.cgroup_parent
  ipc_mode      = "private"
  security_opts = ["no-new-privileges:true"]

  capabilities {
    drop = ["ALL"]
  }

  networks_advanced {
    name = var.network
  }

  mounts {
    type      = "bind"
    source    = var.model_credential_directory
    target    = "/run/afk-triage/model"
    read_only = true
  }

  # There is no volume: nothing outlives the container, so nothing can make its deletion fail.
  destroy_grace_seconds = 1

  labels {
    label = "coder.workspace_id"
    value = data.coder_workspace.me.id
  }
}

resource "coder_metadata" "lease" {
  count       = data.coder_workspace.me.start_count
  resource_id = docker_container.workspace[0].id
  daily_cost  = 1
  item {
    key   = "batch"
    value = data.coder_parameter.run_id.value
  }
  item {
    key   = "issue"
    value = "${data.coder_parameter.repo_url.value} ${data.coder_parameter.issue_number.value}"
  }
  item {
    key   = "ends after"
    value = "${local.lifetime_seconds} s"
  }
}
