# A Coder workspace for one Triage Run, as a pod. README.md explains its purpose and how to push it.

terraform {
  required_version = ">= 1.5"
  required_providers {
    coder = {
      source  = "coder/coder"
      version = "~> 2.13"
    }
    kubernetes = {
      source  = "hashicorp/kubernetes"
      version = "~> 2.30"
    }
  }
}

provider "coder" {}

provider "kubernetes" {
  config_path = var.use_kubeconfig ? "~/.kube/config" : null
}

variable "image" {
  type        = string
  description = "Image built from ../image, by digest: registry.example/afk-triage@sha256:…"

  validation {
    condition     = can(regex("@sha256:[0-9a-f]{64}$", var.image))
    error_message = "Name the image by its digest (…@sha256:…): a tag can be moved to another image."
  }
}

variable "use_kubeconfig" {
  type        = bool
  default     = false
  description = "true: ~/.kube/config of the provisioner; false: the service account it runs as."
}

variable "namespace" {
  type        = string
  default     = "afk-triage"
  description = "A separate namespace that contains nothing else."
}

variable "runtime_class" {
  type        = string
  default     = ""
  description = "The runtime class. For strangers' reproductions preferably a sandbox such as gvisor or kata; empty for the cluster's default."
}

variable "model_secret" {
  type        = string
  default     = "afk-triage-model"
  description = "A Secret of the namespace with the entry `credential`: a key that can only call the model. It is never in Terraform's state."
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

variable "proxy_url" {
  type        = string
  default     = ""
  description = "A proxy that decides which hosts can be reached; then set egress_cidrs = [] and add its address and port to coder_cidrs and coder_ports."
}

variable "egress_cidrs" {
  type        = list(string)
  default     = ["0.0.0.0/0"]
  description = "The networks that TCP 443 and 80 may reach. From 0.0.0.0/0 the private and link-local networks are excluded."
}

variable "coder_cidrs" {
  type        = list(string)
  default     = []
  description = "Addresses of the Coder deployment and the proxy, if they are on a private network."
}

variable "coder_ports" {
  type        = list(number)
  default     = [443, 80, 3128, 7080]
  description = "Ports of the addresses in coder_cidrs."
}

variable "cpu" {
  type    = string
  default = "2"
}

variable "memory" {
  type    = string
  default = "4Gi"
}

variable "disk" {
  type    = string
  default = "10Gi"
}

variable "max_lifetime_seconds" {
  type        = number
  default     = 14400
  description = "The longest lifetime of a pod, whatever its lease says. It counts from the pod's creation, even if it is prebuilt."
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
  description  = "After this time the pod is killed, even if no process is left to delete it."
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
  # Use only the id: the Coder workspace's name changes at a claim, and a different pod name would replace the pod.
  name             = "afk-triage-${data.coder_workspace.me.id}"
  lease_seconds    = try(floor(tonumber(data.coder_parameter.afk_lease_seconds.value)), 3600)
  lifetime_seconds = max(60, min(local.lease_seconds, var.max_lifetime_seconds))
  # A prebuilt Coder workspace is older than its lease, so its machine gets the longest lifetime, and lease.sh ends it with the lease.
  credential_name  = var.model_credential_kind == "auth-token" ? "ANTHROPIC_AUTH_TOKEN" : "ANTHROPIC_API_KEY"
  is_pooled        = data.coder_workspace.me.is_prebuild || data.coder_workspace.me.is_prebuild_claim
  machine_seconds  = local.is_pooled ? var.max_lifetime_seconds : local.lifetime_seconds
  private_networks = ["10.0.0.0/8", "100.64.0.0/10", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16"]
  labels = {
    "app.kubernetes.io/name"     = "afk-triage"
    "app.kubernetes.io/instance" = local.name
    "coder.workspace_id"         = data.coder_workspace.me.id
  }
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

# Created before the pod, because its first seconds would otherwise have no policy. Needs a network plug-in that enforces policies.
resource "kubernetes_network_policy_v1" "workspace" {
  count = data.coder_workspace.me.start_count

  metadata {
    name      = local.name
    namespace = var.namespace
    labels    = local.labels
  }

  spec {
    pod_selector {
      match_labels = { "app.kubernetes.io/instance" = local.name }
    }
    # Ingress is listed but has no rule, so all inbound traffic is denied.
    policy_types = ["Ingress", "Egress"]

    egress {
      to {
        namespace_selector {
          match_labels = { "kubernetes.io/metadata.name" = "kube-system" }
        }
        pod_selector {
          match_labels = { "k8s-app" = "kube-dns" }
        }
      }
      ports {
        port     = "53"
        protocol = "UDP"
      }
      ports {
        port     = "53"
        protocol = "TCP"
      }
    }

    # A rule without addresses would allow all of them.
    dynamic "egress" {
      for_each = length(var.egress_cidrs) == 0 ? [] : [var.egress_cidrs]
      content {
        dynamic "to" {
          for_each = egress.value
          content {
            ip_block {
              cidr   = to.value
              except = to.value == "0.0.0.0/0" ? local.private_networks : []
            }
          }
        }
        ports {
          port     = "443"
          protocol = "TCP"
        }
        ports {
          port     = "80"
          protocol = "TCP"
        }
      }
    }

    dynamic "egress" {
      for_each = length(var.coder_cidrs) == 0 ? [] : [var.coder_cidrs]
      content {
        dynamic "to" {
          for_each = egress.value
          content {
            ip_block {
              cidr = to.value
            }
          }
        }
        dynamic "ports" {
          for_each = var.coder_ports
          content {
            port     = tostring(ports.value)
            protocol = "TCP"
          }
        }
      }
    }
  }
}

resource "kubernetes_pod_v1" "workspace" {
  count      = data.coder_workspace.me.start_count
  depends_on = [kubernetes_network_policy_v1.workspace]

  metadata {
    name      = local.name
    namespace = var.namespace
    labels    = local.labels
  }

  spec {
    # The last resort: the pod ends even without a parent, a reaper and Coder. Nothing starts it again.
    active_deadline_seconds          = local.machine_seconds
    restart_policy                   = "Never"
    termination_grace_period_seconds = 5
    # The pod gets no credential of the cluster and no information about what else runs in it.
    automount_service_account_token = false
    enable_service_links            = false
    host_network                    = false
    host_pid                        = false
    host_ipc                        = false
    runtime_class_name              = var.runtime_class == "" ? null : var.runtime_class

    security_context {
      run_as_non_root = true
      run_as_user     = "10001"
      run_as_group    = "10001"
      fs_group        = "10001"
      seccomp_profile {
        type = "RuntimeDefault"
      }
    }

    container {
      name              = "workspace"
      image             = var.image
      image_pull_policy = "IfNotPresent"
      command           = ["sh", "-c", coder_agent.main.init_script]
      working_dir       = "/home/triage"

      security_context {
        allow_privilege_escalation = false
        privileged                 = false
        capabilities {
          drop = ["ALL"]
        }
      }

      env {
        name  = "CODER_AGENT_TOKEN"
        value = coder_agent.main.token
      }
      env {
        name = local.credential_name
        value_from {
          secret_key_ref {
            name     = var.model_secret
            key      = "credential"
            optional = true
          }
        }
      }
      dynamic "env" {
        for_each = local.proxy_environment
        content {
          name  = env.key
          value = env.value
        }
      }

      resources {
        requests = {
          cpu                 = "500m"
          memory              = "1Gi"
          "ephemeral-storage" = "2Gi"
        }
        limits = {
          cpu                 = var.cpu
          memory              = var.memory
          "ephemeral-storage" = var.disk
        }
      }

      volume_mount {
        name       = "home"
        mount_path = "/home/triage"
      }
    }

    # There is no volume claim: nothing outlives the pod, so nothing can make its deletion fail.
    volume {
      name = "home"
      empty_dir {
        size_limit = var.disk
      }
    }
  }
}

resource "coder_metadata" "lease" {
  count       = data.coder_workspace.me.start_count
  resource_id = kubernetes_pod_v1.workspace[0].id
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
