/** Draws this many characters of a credential from a set. */
type Draw = (set: string, length: number) => string;

const SMALL = "abcdefghijklmnopqrstuvwxyz";
const LETTERS = `${SMALL.toUpperCase()}${SMALL}0123456789`;
const HEX = "0123456789abcdef";

/** Functions that create a credential of each shape that `maskSecrets` knows. */
export const TOKENS: readonly ((draw: Draw) => string)[] = [
  (draw) => `ghp_${draw(LETTERS, 36)}`,
  (draw) => `github_pat_${draw(LETTERS, 22)}_${draw(LETTERS, 59)}`,
  (draw) => `sk-ant-api03-${draw(LETTERS, 32)}`,
  (draw) => `sk_live_${draw(LETTERS, 24)}`,
  (draw) => `rk_test_${draw(LETTERS, 24)}`,
  (draw) => `whsec_${draw(LETTERS, 16)}`,
  (draw) => `hf_${draw(LETTERS, 16)}`,
  (draw) => `lin_api_${draw(LETTERS, 16)}`,
  (draw) => `sntrys_${draw(LETTERS, 16)}`,
  ...["at", "ca", "pa", "ss"].map((kind) => (draw: Draw) => `shp${kind}_${draw(HEX, 32)}`),
  (draw) => `dop_v1_${draw(HEX, 32)}`,
  (draw) => `dapi${draw(HEX, 32)}`,
  (draw) => `SG.${draw(LETTERS, 16)}.${draw(LETTERS, 16)}`,
  ...["ya29.", "hvs.", "hvb.", "hvr.", "pypi-", "dckr_pat_", "dckr_oat_", "AGE-SECRET-KEY-1"].map(
    (prefix) => (draw: Draw) => prefix + draw(LETTERS, 20),
  ),
  (draw) => `https://hooks.slack.com/services/${draw(LETTERS, 10)}`,
  (draw) => `https://hooks.slack.com/workflows/${draw(LETTERS, 10)}`,
  (draw) => `https://discord.com/api/webhooks/${draw(LETTERS, 20)}`,
  (draw) => `https://discordapp.com/api/webhooks/${draw(LETTERS, 20)}`,
  (draw) => `${draw("123456789", 9)}:AA${draw(LETTERS, 33)}`,
  ...["", "proj-", "live-", "test-"].map((kind) => (draw: Draw) => `sk-${kind}${draw(LETTERS, 32)}`),
  ...["proj", "svcacct", "admin", "None"].map(
    (kind) => (draw: Draw) => `sk-${kind}-${draw(LETTERS, 9)}-${draw(LETTERS, 22)}_x`,
  ),
  (draw) => `xai-${draw(LETTERS, 80)}`,
  (draw) => `gsk_${draw(LETTERS, 52)}`,
  (draw) => `glsa_${draw(LETTERS, 32)}_${draw(HEX, 8).slice(0, 8)}`,
  (draw) => `GOCSPX-${draw(LETTERS, 20)}-${draw(LETTERS, 7)}`,
  (draw) => `ATATT3xFfGF0${draw(LETTERS, 60)}=${draw(HEX.toUpperCase(), 8).slice(0, 8)}`,
  (draw) => `AKIA${draw(LETTERS.toUpperCase(), 16).slice(0, 16)}`,
  (draw) => `ASIA${draw(LETTERS.toUpperCase(), 16).slice(0, 16)}`,
  ...["pat", "rt", "dt", "soat", "ptt", "ft", "imt", "agent", "cbt", "oas"].map(
    (kind) => (draw: Draw) => `gl${kind}-${draw(LETTERS, 20)}`,
  ),
  (draw) => `npm_${draw(LETTERS, 36)}`,
  ...[
    "rubygems",
    "ntn",
    "nfp",
    "sbp",
    "r8",
    "bkua",
    "sgp",
    "sgp_local",
    "sgp_0123456789abcdef",
    "sntryu",
  ].map((prefix) => (draw: Draw) => `${prefix}_${draw(HEX, 32)}`),
  ...["pnu", "rdme", "figd", "sb_secret", "pscale_tkn", "pscale_pw", "pscale_oauth", "CCIPAT", "glc"].map(
    (prefix) => (draw: Draw) => `${prefix}_${draw(LETTERS, 32)}`,
  ),
  ...["fm1", "fm2", "fo1", "fo2"].map(
    (prefix) => (draw: Draw) => `${prefix}_${draw(LETTERS, 16)}${draw(`${LETTERS}+/=`, 15)}`,
  ),
  ...["PMAK", "pplx", "pul", "NRAK", "xkeysib", "sk-or-v1"].map(
    (prefix) => (draw: Draw) => `${prefix}-${draw(LETTERS, 24)}-${draw(LETTERS, 16)}`,
  ),
  ...["CFPAT", "HRKU", "sq0atp", "sq0csp", "tskey-auth", "tskey-api", "tskey-client", "tskey-scim"].map(
    (prefix) => (draw: Draw) => `${prefix}-${draw(LETTERS, 11)}-${draw(LETTERS, 10)}`,
  ),
  ...["pt", "st", "ct", "sa", "scim", "audit"].map(
    (kind) => (draw: Draw) => `dp.${kind}.${draw(LETTERS, 40)}`,
  ),
  (draw) => `${draw(LETTERS, 14).slice(0, 14)}.atlasv1.${draw(LETTERS, 60)}`,
  (draw) => `dt0c01.${draw("ABC234", 24).slice(0, 24)}.${draw("ABC234", 64).slice(0, 64)}`,
  (draw) => `ATBB${draw(LETTERS, 32).slice(0, 32)}`,
  (draw) => `ATCTT3xFfGN0${draw(LETTERS, 60)}=${draw(HEX.toUpperCase(), 8).slice(0, 8)}`,
  ...["xoxb-", "xoxp-", "xapp-"].map((prefix) => (draw: Draw) => prefix + draw(LETTERS, 10)),
  (draw) => `AIza${draw(LETTERS, 35)}`,
  (draw) => `eyJ${draw(LETTERS, 12)}.eyJ${draw(LETTERS, 8)}.${draw(LETTERS, 8)}`,
  (draw) => `-----BEGIN RSA PRIVATE KEY-----\n${draw(LETTERS, 60)}\n-----END RSA PRIVATE KEY-----`,
  (draw) => `-----BEGIN PGP PRIVATE KEY BLOCK-----\n${draw(LETTERS, 60)}`,
  (draw) => `${draw(LETTERS, 5).slice(0, 5)}a1B2c-${draw(LETTERS, 18).slice(0, 18)}d3E4`,
  ...["Bearer", "token", "basic"].map((kind) => (draw: Draw) => `Authorization: ${kind} ${draw(LETTERS, 8)}`),
  (draw) => `https://user:${draw(LETTERS, 3)}@host/`,
  ...[
    "client_secret",
    "MY_TOKEN",
    "password",
    "passwd_old",
    "api-key",
    "signingKey",
    "credentials",
    "passphrase",
  ].map((name) => (draw: Draw) => `${name} = "a1${draw(LETTERS, 12)}`),
];

const each = (text: string, write: (sign: string) => string): string => Array.from(text, write).join("");
const hexOf = (sign: string): string => sign.charCodeAt(0).toString(16).padStart(2, "0");

/** Ways to write a token so that a reader or a program still reads it. */
export const DISGUISES: readonly ((token: string) => string)[] = [
  (token) => each(token, (sign) => `\u001b[1m${sign}`),
  (token) => each(token, (sign) => `&#${sign.charCodeAt(0)};`),
  (token) => each(token, (sign) => `%${hexOf(sign)}`),
  (token) => each(token, (sign) => String.raw`\u00${hexOf(sign)}`),
  (token) => each(token, (sign) => String.raw`\x${hexOf(sign)}`),
  (token) => each(token, (sign) => String.raw`\u{${hexOf(sign)}}`),
  (token) => each(token, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, "0")}`),
  (token) => token.replaceAll(/[^A-Za-z0-9]/g, String.raw`\$&`),
  (token) => token.replaceAll("_", "&lowbar;").replaceAll("-", "&hyphen;").replaceAll(".", "&period;"),
  (token) => token.replaceAll("%", "%25").replaceAll("&", "&amp;"),
  (token) =>
    token.replaceAll(/[A-Za-z]/g, (sign) => String.raw`\u${(sign.charCodeAt(0) + 0xfee0).toString(16)}`),
  ...["\u200b", "\u00ad", "\ufeff", "\u2060", "\ufe0f", "\u034f", "\u180e", "\0", "\u007f"].map(
    (sign) => (token: string) => token.replaceAll(/.{5}/gs, `$&${sign}`),
  ),
  ...["\r\n", "\\\n  ", "\n> ", "\n| * ", `" + "`, `' . '`, `" &\\\n "`].map(
    (end) => (token: string) => token.replaceAll(/.{9}/gs, `$&${end}`),
  ),
  ...[" ", "\n", " | ", "\u001b[0m "].map((between) => (token: string) => Array.from(token).join(between)),
];
