import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CODER, readTemplate, resource, type TemplateName } from "./template-source.ts";

const GUIDE = readFileSync(join(CODER, "..", "docs", "coder.md"), "utf8");

function instructions(template: TemplateName): { name: string; text: string }[] {
  const heading = {
    docker: "## Set up the Docker template",
    kubernetes: "## Set up the Kubernetes template",
  };
  const from = GUIDE.indexOf(heading[template]);
  const section = GUIDE.slice(from, GUIDE.indexOf("\n## ", from + 1));
  const readme = readFileSync(join(CODER, template, "README.md"), "utf8");
  return [
    { name: "docs/coder.md", text: section },
    { name: `coder/${template}/README.md`, text: readme },
  ];
}

function all(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, found]) => found ?? "");
}

describe.each(["docker", "kubernetes"] as const)("instructions for coder/%s", (template) => {
  test.each(instructions(template))(
    "$name sets only variables that the template declares",
    async ({ text }) => {
      const named = all(text, /--variable '?(\w+)=/g);
      expect(named).toContain("image");
      expect(Object.keys((await readTemplate(template)).variable)).toEqual(expect.arrayContaining(named));
    },
  );

  test.each(instructions(template))("$name builds only folders with a Dockerfile", ({ text }) => {
    const folders = all(text, /docker build --tag \S+ (\S+)/g);
    expect(folders).toContain("../image");
    for (const folder of folders) expect(existsSync(join(CODER, template, folder, "Dockerfile"))).toBe(true);
  });
});

describe.each(instructions("docker"))("$name", ({ text }) => {
  test("mounts only files of the template's folder into the proxy", () => {
    const files = all(text, /--volume "\$PWD\/([^:"]+):/g);
    expect(files).toEqual(["egress/squid.conf", "egress/allowed-hosts"]);
    for (const file of files) expect(existsSync(join(CODER, "docker", file))).toBe(true);
  });

  test("creates the network, the proxy and the key's directory that the template uses by default", async () => {
    const { variable } = await readTemplate("docker");
    const defaultOf = (name: string) => variable[name]?.[0]?.["default"] as string;
    expect(text).toContain(`docker network create --internal ${defaultOf("network")}\n`);
    expect(text).toContain(`--name ${new URL(defaultOf("proxy_url")).hostname} `);
    expect(text).toContain(`/dev/stdin ${defaultOf("model_credential_directory")}/credential\n`);
  });

  test("only the container's user can read the model's key, which is behind a directory of root's (S8: no credential for bystanders)", async () => {
    const container = resource(await readTemplate("docker"), "docker_container", "workspace");
    const [user, group] = (container["user"] as string).split(":");
    expect(text).toContain("install -d -m 0700 /etc/afk-triage\n");
    expect(text).toContain(`install -d -m 0500 -o ${user} -g ${group} /etc/afk-triage/model\n`);
    expect(text).toContain(`install -m 0400 -o ${user} -g ${group} /dev/stdin`);
  });
});
