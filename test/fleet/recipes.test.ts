import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { environmentSchema } from "../../src/config/index.ts";
import { buildProgram } from "../../src/cli/program.ts";

const grammar = buildProgram({
  output: () => Promise.reject(new Error("nothing runs")),
  exitWith: () => undefined,
});
const fleet = grammar.commands.find((command) => command.name() === "fleet");
const flags = new Set(fleet?.options.map(({ long }) => long));
const variables = new Set(
  Object.entries(environmentSchema.shape).flatMap(([name, schema]) =>
    schema.meta()?.["isSecret"] === true ? [name, `${name}_FILE`] : [name],
  ),
);
const recipe = (name: string): Promise<string> =>
  readFile(join(import.meta.dirname, "../../docs/fleet", name), "utf8");

test.each(["Dockerfile", "kubernetes.yaml", "afk-triage-fleet.service"])(
  "the program knows every flag and variable in %s (F7)",
  async (name) => {
    const text = (await recipe(name)).replaceAll(/^\s*#.*$/gm, "");
    const program = name === "kubernetes.yaml" ? /.+/g : /(?:ENTRYPOINT|CMD \["--|ExecStart=).*/g;
    const named = [...text.matchAll(program)].flatMap(([line]) => line.match(/--[a-z][a-z-]+/g) ?? []);
    expect(named.length).toBeGreaterThan(1);
    expect(named.filter((flag) => !flags.has(flag))).toEqual([]);
    const used = text.match(/\b(?:AFK_TRIAGE|CODER|GITHUB)_[A-Z_]+\b/g) ?? [];
    expect(used.length).toBeGreaterThan(1);
    expect(used.filter((variable) => !variables.has(variable))).toEqual([]);
  },
);

test("the Kubernetes manifest has its four objects, whose names, ports and volumes match (F7)", async () => {
  const documents = parseAllDocuments(await recipe("kubernetes.yaml"));
  expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
  const [claim, deployment, service, budget] = documents.map((document): unknown => document.toJS());
  expect(claim).toMatchObject({ spec: { accessModes: ["ReadWriteMany"] } });
  expect(service).toMatchObject({ spec: { selector: { app: "afk-triage-fleet" } } });
  expect(budget).toMatchObject({ spec: { selector: { matchLabels: { app: "afk-triage-fleet" } } } });
  expect(deployment).toMatchObject({
    spec: { template: { metadata: { labels: { app: "afk-triage-fleet" } } } },
  });
  const { containers, volumes } = (deployment as { spec: { template: { spec: PodSpec } } }).spec.template
    .spec;
  const [worker] = containers;
  const mounted = worker?.volumeMounts.map(({ name }) => name).toSorted((a, b) => a.localeCompare(b));
  expect(volumes.map(({ name }) => name).toSorted((a, b) => a.localeCompare(b))).toEqual(mounted);
  const ports = new Set(worker?.ports.map(({ name }) => name));
  for (const probe of [worker?.startupProbe, worker?.livenessProbe, worker?.readinessProbe])
    expect(ports).toContain(probe?.httpGet.port);
});

interface Probe {
  httpGet: { path: string; port: string };
}
interface PodSpec {
  containers: {
    volumeMounts: { name: string }[];
    ports: { name: string }[];
    startupProbe: Probe;
    livenessProbe: Probe;
    readinessProbe: Probe;
  }[];
  volumes: { name: string }[];
}

test("the container recipe copies only from stages that it declares, and does not run as root (F7)", async () => {
  const text = await recipe("Dockerfile");
  const stages = new Set([...text.matchAll(/^FROM \S+ AS (\S+)$/gm)].map(([, stage]) => stage));
  const copied = [...text.matchAll(/^COPY --from=(\S+)/gm)].map(([, stage]) => stage);
  expect(copied).toEqual(["build", "coder"]);
  expect(copied.filter((stage) => !stages.has(stage))).toEqual([]);
  expect(text.slice(text.lastIndexOf("\nFROM "))).toMatch(/^USER 10002:10002$/m);
});

test("the systemd unit loads every credential that one of its variables names (F7)", async () => {
  const text = await recipe("afk-triage-fleet.service");
  const loaded = [...text.matchAll(/^#?LoadCredential=([\w-]+):/gm)].map(([, name]) => name);
  const used = [...text.matchAll(/^#?Environment=\w+_FILE=%d\/([\w-]+)$/gm)].map(([, name]) => name);
  expect(used.length).toBe(5);
  expect(new Set(used)).toEqual(new Set(loaded));
});
