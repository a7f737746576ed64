import type { CoderQuestions } from "../workspaces/index.ts";
import { ask, askAfter, judge, type Asking } from "./answer.ts";
import { type DoctorCheck, ok } from "./doctor-check.ts";
import { judgeTemplate } from "./judge-triage-agent.ts";
import type { DoctorSettings } from "./probes.ts";

const CODER_LIMIT_MS = 30_000;

/**
 * Returns the checks of the Coder CLI and of the deployment, which are asked concurrently. The login is tried only after the server
 * has answered, and the template is read only after the login.
 */
export async function examineCoder(
  { settings }: DoctorSettings,
  questions: CoderQuestions,
  asking: Asking,
): Promise<DoctorCheck[]> {
  const question = (what: string) => ({ what, limitMs: CODER_LIMIT_MS });
  const deployment = async () => {
    const server = await ask(question("ask Coder for its version"), asking, (signal) =>
      questions.server(signal),
    );
    const login = await askAfter(server, "coder-server", () =>
      ask(question("sign in to Coder"), asking, (signal) => questions.login(signal)),
    );
    const template = await askAfter(login, "coder-login", () =>
      ask(question("read the Coder template"), asking, (signal) => questions.template(signal)),
    );
    return { server, login, template };
  };
  const [cli, { server, login, template }] = await Promise.all([
    ask(question("start the Coder CLI"), asking, (signal) => questions.cli(signal)),
    deployment(),
  ]);
  return [
    judge("coder-cli", cli, (version) => ok("coder-cli", version)),
    judge("coder-server", server, (version) => ok("coder-server", `${version} at ${settings.coder.url}`)),
    judge("coder-login", login, (username) => ok("coder-login", username)),
    judge("coder-template", template, (warnings) => judgeTemplate(settings.coder.template, warnings)),
  ];
}
