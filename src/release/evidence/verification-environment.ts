/** The variables of the user's machine that builds and tests need. Tokens are not among them (S8). */
const PASSED_ON =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TZ|TMPDIR|XDG_\w+|(?:HTTPS?|NO)_PROXY|https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS|npm_config_(?:cache|registry|nodedir))$/;

/** Returns the environment of verification commands. `CI` prevents test runners on a terminal from waiting for keys. */
export function verificationEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const kept = Object.entries(env).flatMap(([name, value]): [string, string][] =>
    value !== undefined && PASSED_ON.test(name) ? [[name, value]] : [],
  );
  return { ...Object.fromEntries(kept), CI: "true" };
}
