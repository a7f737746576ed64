import { z } from "zod";
import { writeDuration } from "../notation/index.ts";
import { durationMs } from "./duration-schema.ts";
import { setting } from "./setting.ts";

/** Hides the values, because a variable's value may be a credential. */
function namesOnly(environment: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.keys(environment).map((name) => [name, "(set)"]));
}

/** The Triage Agent and its settings. */
export const triageAgentSchema = z.strictObject({
  kind: setting(z.enum(["claude-code", "command"]), {
    meaning: "Claude Code, or a program of your own.",
    owner: "repository",
    fallback: "claude-code",
  }),
  mode: setting(z.enum(["print", "tui"]), {
    meaning: "Claude Code only: print mode, or its TUI, driven by what its screen shows.",
    owner: "repository",
    fallback: "print",
  }),
  command: setting(z.array(z.string().min(1)).min(1), {
    meaning: "Kind `command` only: the program and its arguments, started in the checkout.",
    owner: "machine",
    fallback: [],
  }),
  model: setting(z.string().min(1).nullable(), {
    meaning: "Claude Code only: the model; null: Claude Code chooses.",
    owner: "repository",
    fallback: null,
  }),
  waitForPerson: setting(durationMs.nullable(), {
    meaning:
      "Mode `tui` only: how long a question, or a dialog without a known answer, waits for a person, who answers it on the board or with `afk-triage attach`. null: not at all.",
    owner: "repository",
    fallback: null,
    write: (ms) => (ms === null ? null : writeDuration(ms)),
  }),
  env: setting(z.record(z.string().regex(/^[A-Za-z_]\w*$/), z.string()), {
    meaning:
      "Environment variables (names and values) for the Triage Agent. No variable of the parent's environment reaches it.",
    // The variables include for example ANTHROPIC_BASE_URL, which decides where the model credential is sent.
    owner: "machine",
    fallback: {},
    write: namesOnly,
  }),
});

/** The settings of Coder, which provides the Coder workspaces. */
export const coderSchema = z.strictObject({
  url: setting(z.url().nullable(), {
    meaning: "The Coder deployment.",
    owner: "machine",
    fallback: null,
    variable: ["CODER_URL", ({ coderUrl }) => coderUrl],
  }),
  template: setting(z.string().min(1), {
    meaning: "The Coder template.",
    owner: "repository",
    fallback: "triage",
  }),
  preset: setting(z.string().min(1).nullable(), {
    meaning: "A preset of the template, or `none`; null: the template's default preset.",
    owner: "repository",
    fallback: "none",
  }),
  parameters: setting(z.record(z.string(), z.string()), {
    meaning:
      "Values for the template's parameters, except the lease parameters, which are set automatically.",
    owner: "repository",
    fallback: {},
  }),
  organization: setting(z.string().min(1).nullable(), {
    meaning:
      "The organization of the template; needed if several organizations have a template with that name.",
    owner: "repository",
    fallback: null,
  }),
  multiplexer: setting(z.enum(["auto", "none"]), {
    meaning:
      "`auto`: tmux in the Coder workspace holds the terminal, so that a lost connection costs nothing.",
    owner: "repository",
    fallback: "auto",
  }),
  firewallLog: setting(
    z
      .string()
      .regex(/^\/[\w./-]+$/, "expected an absolute path in the Coder workspace")
      .nullable(),
    {
      meaning:
        "The directory in a Coder workspace where the template's Agent Firewall writes its log; null: none is read.",
      owner: "repository",
      fallback: null,
    },
  ),
  // The group's members can read the model's credential.
  inspectionGroup: setting(
    z
      .string()
      .regex(/^[\w.-]+$/, "expected the name of a Coder group, not its display name")
      .nullable(),
    {
      meaning:
        "The Coder group whose members may use what `run --keep-failed` keeps. They can read the model's credential there.",
      owner: "machine",
      fallback: null,
    },
  ),
  inspectionLimit: setting(z.int().min(1).max(50), {
    meaning: "How many Coder workspaces are kept for inspection at a time.",
    owner: "machine",
    fallback: 3,
  }),
});

/** The checkout that a Triage Agent works on. */
export const checkoutSchema = z.strictObject({
  url: setting(z.string().min(1).nullable(), {
    meaning: "The URL that git clones; null: the repository's own address.",
    // With checkout.strategy `bundle`, the parent's own git fetches this URL with the parent's credential.
    owner: "machine",
    fallback: null,
  }),
  ref: setting(
    z
      .string()
      .regex(/^[^-\s][^\s]*$/, "expected a git ref, without blanks and without a dash at its beginning")
      .nullable(),
    {
      meaning: "Branch, tag or commit to look at; null: the default branch.",
      owner: "repository",
      fallback: null,
    },
  ),
  strategy: setting(z.enum(["clone", "shallow", "bundle"]), {
    meaning:
      "`clone`: the Coder workspace clones. `shallow`: it clones the newest commit alone, and fetches the history when a range is searched. `bundle`: the parent fetches with its own credential and hands over one file, for private repositories.",
    owner: "repository",
    fallback: "clone",
  }),
  setup: setting(z.array(z.string().min(1)), {
    meaning: "Shell command lines that make a fresh checkout ready.",
    owner: "repository",
    fallback: [],
  }),
});
