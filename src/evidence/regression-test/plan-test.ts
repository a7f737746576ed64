import type { Claim } from "../claim.ts";
import type { TestFramework } from "./framework.ts";

/** A reproduction as a test of the repository's own framework. */
export interface PlannedTest {
  framework: TestFramework;
  /** Relative to the checkout. */
  path: string;
  content: string;
  /** Shell words that run this test alone, from the root of the checkout. */
  command: string;
  /** The tool that the test needs, and the command that checks whether it is installed. */
  tool: { name: string; check: string };
}

/** The message with which the test fails because of the bug; any other failure proves nothing. */
export const SHOWS = "the reported bug shows";

export interface TestSubject {
  claim: Claim;
  /** The key of the issue, such as `owner/name#12`. */
  issueKey: string;
  number: number;
}

/**
 * Returns the test. It runs the script from the root of the checkout, fails with `SHOWS` if the run shows the claim, and fails with
 * another message if the script does not succeed. Throws if the claim names neither exit code nor text.
 */
export function planTest(framework: TestFramework, subject: TestSubject): PlannedTest {
  if (framework === "pytest") return pytest(subject);
  if (framework === "cargo test") return cargo(subject);
  if (framework === "go test") return go(subject);
  if (framework === "JUnit") return junit(subject);
  return javascript(framework, subject);
}

type JavascriptFramework = Extract<TestFramework, "node:test" | "vitest" | "jest" | "mocha" | "ava" | "tap">;

/** The beginning and the end of a test of each framework, and the line that defines `test`, which jest does not need. */
const JAVASCRIPT: Readonly<
  Record<JavascriptFramework, { import: readonly string[]; begin: string; end: readonly string[] }>
> = {
  "node:test": { import: [`import { test } from "node:test";`], begin: "() => {", end: ["});"] },
  vitest: { import: [`import { test } from "vitest";`], begin: "() => {", end: ["}, 120_000);"] },
  jest: { import: [], begin: "() => {", end: ["}, 120_000);"] },
  mocha: { import: ["const test = globalThis.it;"], begin: "() => {", end: ["}).timeout(120_000);"] },
  ava: {
    import: [`import test from "ava";`],
    begin: "(t) => {\n  t.timeout(120_000);",
    // An ava test fails if it asserts nothing through `t`.
    end: ["  t.pass();", "});"],
  },
  tap: {
    import: [`import { test } from "tap";`],
    begin: "{ timeout: 120_000 }, async () => {",
    end: ["});"],
  },
};

function javascript(framework: JavascriptFramework, { claim, issueKey, number }: TestSubject): PlannedTest {
  const isJest = framework === "jest";
  const imports = ["node:assert", "node:child_process", "node:fs", "node:os", "node:path"];
  const names = ["assert", "{ spawnSync }", "{ mkdtempSync, writeFileSync }", "{ tmpdir }", "{ join }"];
  const load = (name: string, from: string): string =>
    isJest
      ? `const ${name} = require(${JSON.stringify(from)});`
      : `import ${name} from ${JSON.stringify(from)};`;
  const parts = JAVASCRIPT[framework];
  const content = [
    `// ${issueKey}: the reproduction as a regression test.`,
    ...names.map((name, at) => load(name, imports[at] ?? "")),
    ...parts.import,
    "",
    `const script = ${linesOf(claim.script)}.join("\\n");`,
    "",
    `test(${JSON.stringify(issueKey)}, ${parts.begin}`,
    `  const file = join(mkdtempSync(join(tmpdir(), "regression-")), "script");`,
    `  writeFileSync(file, script, { mode: 0o755 });`,
    `  const { status, stdout, stderr } = spawnSync("sh", ["-c", '"$0" 2>&1', file], { encoding: "utf8" });`,
    `  const output = stdout + stderr;`,
    `  assert.ok(!(${shown(claim, { code: "status", and: "&&", equals: "===", contains: (text) => `output.includes(${JSON.stringify(text)})` })}), ${JSON.stringify(SHOWS)} + ": " + output);`,
    ...(isSuccess(claim) ? [] : [`  assert.equal(status, 0, "the script does not succeed: " + output);`]),
    ...parts.end,
    "",
  ].join("\n");
  const path = `test/issue-${number}.test.${isJest ? "js" : "mjs"}`;
  const commands = {
    "node:test": `node --test ${path}`,
    vitest: `npx --no-install vitest run ${path}`,
    jest: `npx --no-install jest ${path}`,
    mocha: `npx --no-install mocha ${path}`,
    ava: `npx --no-install ava ${path}`,
    // The test runs without tap's runner, because the option that disables coverage has a different name in each version of the
    // runner.
    tap: `node ${path}`,
  };
  const check = framework === "node:test" ? "node --version" : `npx --no-install ${framework} --version`;
  return { framework, path, content, command: commands[framework], tool: { name: framework, check } };
}

function pytest({ claim, issueKey, number }: TestSubject): PlannedTest {
  const path = `tests/test_issue_${number}.py`;
  const content = [
    `"""${issueKey}: the reproduction as a regression test."""`,
    "import pathlib",
    "import subprocess",
    "",
    `SCRIPT = "\\n".join(${linesOf(claim.script)})`,
    "",
    "",
    `def test_issue_${number}(tmp_path):`,
    `    file = tmp_path / "script"`,
    `    file.write_text(SCRIPT, encoding="utf-8")`,
    `    file.chmod(0o755)`,
    `    root = pathlib.Path(__file__).resolve().parents[1]`,
    `    ran = subprocess.run(["sh", "-c", '"$0" 2>&1', str(file)], cwd=root, stdout=subprocess.PIPE)`,
    `    output = ran.stdout.decode("utf-8", "replace")`,
    `    assert not (${shown(claim, { code: "ran.returncode", and: "and", equals: "==", contains: (text) => `${JSON.stringify(text)} in output` })}), ${JSON.stringify(SHOWS)} + ": " + output`,
    ...(isSuccess(claim) ? [] : [`    assert ran.returncode == 0, "the script does not succeed: " + output`]),
    "",
  ].join("\n");
  const command = `python3 -m pytest -q -p no:cacheprovider ${path}`;
  return {
    framework: "pytest",
    path,
    content,
    command,
    tool: { name: "pytest", check: "python3 -m pytest --version" },
  };
}

function cargo({ claim, issueKey, number }: TestSubject): PlannedTest {
  const content = [
    `//! ${issueKey}: the reproduction as a regression test.`,
    "use std::process::Command;",
    "",
    `const SCRIPT: &str = ${rustRaw(claim.script)};`,
    "",
    "#[test]",
    `fn issue_${number}() {`,
    `    let file = std::env::temp_dir().join(format!("regression-{}", std::process::id()));`,
    `    std::fs::write(&file, SCRIPT).unwrap();`,
    `    let ran = Command::new("sh")`,
    `        .args(["-c", "chmod 755 \\"$0\\" && \\"$0\\" 2>&1"])`,
    `        .arg(&file)`,
    `        .current_dir(env!("CARGO_MANIFEST_DIR"))`,
    `        .output()`,
    `        .unwrap();`,
    `    std::fs::remove_file(&file).unwrap();`,
    `    let output = String::from_utf8_lossy(&ran.stdout);`,
    `    let code = ran.status.code().unwrap_or(-1);`,
    `    assert!(!(${shown(claim, { code: "code", and: "&&", equals: "==", contains: (text) => `output.contains(${rustRaw(text)})` })}), "${SHOWS}: {output}");`,
    ...(isSuccess(claim) ? [] : [`    assert_eq!(code, 0, "the script does not succeed: {output}");`]),
    "}",
    "",
  ].join("\n");
  const path = `tests/issue_${number}.rs`;
  const command = `cargo test --quiet --offline --test issue_${number}`;
  return {
    framework: "cargo test",
    path,
    content,
    command,
    tool: { name: "cargo", check: "cargo --version" },
  };
}

function go({ claim, issueKey, number }: TestSubject): PlannedTest {
  const condition = shown(claim, {
    code: "code",
    and: "&&",
    equals: "==",
    contains: (text) => `strings.Contains(output, ${JSON.stringify(text)})`,
  });
  const content = [
    `// ${issueKey}: the reproduction as a regression test.`,
    `package issue${number}`,
    "",
    `import ("os"; "os/exec"; "path/filepath"; "strings"; "testing")`,
    "",
    `var script = strings.Join([]string{${linesOf(claim.script).slice(1, -1)}}, "\\n")`,
    "",
    `func TestIssue${number}(t *testing.T) {`,
    `\tfile := filepath.Join(t.TempDir(), "script")`,
    `\tif err := os.WriteFile(file, []byte(script), 0o755); err != nil { t.Fatal(err) }`,
    `\trun := exec.Command("sh", "-c", "\\"$0\\" 2>&1", file)`,
    `\trun.Dir = "../.."`,
    `\tbytes, _ := run.Output()`,
    `\toutput, code := string(bytes), run.ProcessState.ExitCode()`,
    `\t_ = strings.Contains`,
    `\tif ${condition} { t.Fatal(${JSON.stringify(SHOWS)} + ": " + output) }`,
    ...(isSuccess(claim) ? [] : [`\tif code != 0 { t.Fatal("the script does not succeed: " + output) }`]),
    "}",
    "",
  ].join("\n");
  const folder = `test/issue${number}`;
  const command = `go test -count=1 ./${folder}`;
  return {
    framework: "go test",
    path: `${folder}/issue_test.go`,
    content,
    command,
    tool: { name: "go", check: "go version" },
  };
}

function junit({ claim, issueKey, number }: TestSubject): PlannedTest {
  const name = `Issue${number}Test`;
  const content = [
    `// ${issueKey}: the reproduction as a regression test.`,
    "import static org.junit.jupiter.api.Assertions.*;",
    "import java.nio.file.*;",
    "import org.junit.jupiter.api.Test;",
    "",
    `class ${name} {`,
    `  static final String SCRIPT = String.join("\\n", ${linesOf(claim.script).slice(1, -1).trim().replace(/,$/, "")});`,
    "",
    "  @Test",
    `  void issue${number}() throws Exception {`,
    `    Path file = Files.createTempDirectory("regression").resolve("script");`,
    "    Files.writeString(file, SCRIPT);",
    "    file.toFile().setExecutable(true);",
    `    Process run = new ProcessBuilder("sh", "-c", "\\"$0\\" 2>&1", file.toString()).start();`,
    "    String output = new String(run.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);",
    "    int code = run.waitFor();",
    `    assertFalse(${shown(claim, { code: "code", and: "&&", equals: "==", contains: (text) => `output.contains(${JSON.stringify(text)})` })}, ${JSON.stringify(SHOWS)} + ": " + output);`,
    ...(isSuccess(claim) ? [] : [`    assertEquals(0, code, "the script does not succeed: " + output);`]),
    "  }",
    "}",
    "",
  ].join("\n");
  const command = `mvn -q -o -Dtest=${name} test`;
  return {
    framework: "JUnit",
    path: `src/test/java/${name}.java`,
    content,
    command,
    tool: { name: "mvn", check: "mvn --version" },
  };
}

interface Condition {
  code: string;
  and: string;
  equals: string;
  contains: (text: string) => string;
}

/** Returns the claim as a condition in the test's language. */
function shown({ expect }: Claim, { code, and, equals, contains }: Condition): string {
  const parts = [
    ...(expect?.exitCode == null ? [] : [`${code} ${equals} ${expect.exitCode}`]),
    ...(expect?.outputContains == null ? [] : [contains(expect.outputContains)]),
  ];
  if (parts.length === 0) throw new Error("a claim without an exit code and a text cannot become a test");
  return parts.join(` ${and} `);
}

/** Returns whether the bug shows as success, so that a fix shows as another exit code. */
function isSuccess({ expect }: Claim): boolean {
  return expect?.exitCode === 0 && expect.outputContains === null;
}

function linesOf(script: string): string {
  return `[\n${script
    .split("\n")
    .map((line) => `  ${JSON.stringify(line)},`)
    .join("\n")}\n]`;
}

/** Returns a Rust raw string, delimited by more number signs than any run of them in the text. */
function rustRaw(text: string): string {
  const most = Math.max(0, ...[...text.matchAll(/#+/g)].map(([signs]) => signs.length));
  const signs = "#".repeat(most + 1);
  return `r${signs}"${text}"${signs}`;
}
