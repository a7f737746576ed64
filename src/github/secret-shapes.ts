export interface SecretShape {
  pattern: RegExp;
  /** Every credential of the shape contains one of them; `?` is any character. */
  anchors?: readonly string[];
  /** Matches a part of every text that contains such a credential. It is faster than the pattern. */
  hint?: RegExp;
}

/** Credentials that are recognisable by themselves, without their context. */
export const TELLING_SHAPES: readonly SecretShape[] = [
  { pattern: /gh[a-z]_[A-Za-z0-9._-]{36,}/g, anchors: ["gh?_"] },
  { pattern: /github_pat_\w{22,}/g, anchors: ["b_pat"] },
  { pattern: /sk-ant-[A-Za-z0-9_-]{16,}/g, anchors: ["sk-ant"] },
  // Stripe, Hugging Face, Shopify, SendGrid, Google OAuth, DigitalOcean, HashiCorp Vault, PyPI, Docker Hub, Linear, Sentry
  {
    pattern: /(?<![A-Za-z0-9])(?:(?:[srp]k)_(?:live|test)_|whsec_|hf_|lin_api_|sntrys_)[A-Za-z0-9]{16,}/g,
    anchors: ["k_live", "k_test", "sec_", "hf_", "api_", "trys_"],
  },
  {
    pattern: /(?<![A-Za-z0-9])(?:shp(?:at|ca|pa|ss)_|do[opr]_v1_|dapi)[a-f0-9]{32,}/g,
    anchors: ["shpat_", "shpca_", "shppa_", "shpss_", "_v1_", "dapi"],
  },
  { pattern: /(?<![A-Za-z0-9])SG\.[\w-]{16,}\.[\w-]{16,}/g, anchors: ["SG."] },
  {
    pattern: /(?<![A-Za-z0-9])(?:ya29\.|hv[sbr]\.|pypi-|dckr_(?:pat|oat)_|AGE-SECRET-KEY-1)[\w-]{20,}/g,
    anchors: ["ya29.", "hvs.", "hvb.", "hvr.", "pypi-", "dckr_", "AGE-SE"],
  },
  { pattern: /(?<=hooks\.slack\.com\/(?:services|workflows)\/)[\w/+-]{10,}/g, anchors: ["slack.com"] },
  { pattern: /(?<=discord(?:app)?\.com\/api\/webhooks\/)[\w/-]{20,}/g, anchors: ["webhooks"] },
  { pattern: /(?<!\d)\d{8,10}:AA[\w-]{33}/g, anchors: [":AA"] },
  // OpenAI: base64url after the key's kind.
  {
    pattern:
      /(?<![A-Za-z0-9])sk-(?:(?:proj|svcacct|admin|None)-[\w-]{32,}|(?:live-|test-)?[A-Za-z0-9_]{32,})/g,
    anchors: ["sk-"],
  },
  // xAI, Groq, Grafana, Google OAuth clients
  {
    pattern:
      /(?<![A-Za-z0-9])(?:xai-\w{80,}|gsk_[A-Za-z0-9]{52,}|glsa_[A-Za-z0-9]{32,}(?:_[A-Fa-f0-9]{8})?|GOCSPX-[\w-]{28,})/g,
    anchors: ["xai-", "gsk_", "glsa_", "GOCSPX-"],
  },
  // RubyGems, Notion, Netlify, Supabase, Replicate, Buildkite, Sourcegraph, Sentry, Prefect, ReadMe
  {
    pattern:
      /(?<![A-Za-z0-9])(?:rubygems|ntn|nfp|sbp|r8|bkua|sgp(?:_(?:[a-f0-9]{16}|local))?|sntryu|pnu|rdme)_[A-Za-z0-9]{32,}/g,
    anchors: ["ygems_", "ntn_", "nfp_", "sbp_", "r8_", "kua_", "sgp_", "tryu_", "pnu_", "rdme_"],
  },
  // Figma, Supabase, PlanetScale, CircleCI, Grafana Cloud, Fly.io
  {
    pattern:
      /(?<![A-Za-z0-9])(?:figd|sb_secret|pscale_(?:tkn|pw|oauth)|CCIPAT|glc|f[mo][12])_[\w-]{16}[\w+/=-]{15,}/g,
    anchors: ["figd_", "secret_", "pscale_", "CIPAT_", "glc_", "fm1_", "fm2_", "fo1_", "fo2_"],
  },
  // Postman, Perplexity, Pulumi, New Relic, Brevo, OpenRouter
  {
    pattern:
      /(?<![A-Za-z0-9])(?:PMAK|pplx|pul|NRAK|xkeysib|sk-or-v1)-[A-Za-z0-9]{24,}(?:-[A-Za-z0-9]{16,})?/g,
    anchors: ["PMAK-", "pplx-", "pul-", "NRAK-", "eysib-", "or-v1-"],
  },
  // Contentful, Heroku, Square, Tailscale
  {
    pattern: /(?<![A-Za-z0-9])(?:CFPAT|HRKU|sq0(?:atp|csp)|tskey-(?:auth|api|client|scim))-[\w-]{22,}/g,
    anchors: ["CFPAT-", "HRKU-", "sq0atp-", "sq0csp-", "tskey-"],
  },
  // Doppler, Terraform, Dynatrace
  {
    pattern:
      /(?<![A-Za-z0-9])(?:dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9]{40,}|[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}|dt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64})/g,
    anchors: ["dp.", "atlasv1.", "dt0"],
  },
  // Bitbucket
  {
    pattern: /(?<![A-Za-z0-9])(?:ATBB[A-Za-z0-9]{32}|ATCTT3[\w-]{50,}(?:=[A-Fa-f0-9]{8})?)/g,
    anchors: ["ATBB", "ATCTT3"],
  },
  // Atlassian: 192 characters, of which the last nine are an equals sign and a checksum.
  { pattern: /(?<![A-Za-z0-9])ATATT3[\w-]{50,}(?:=[A-Fa-f0-9]{8})?/g, anchors: ["ATATT3"] },
  { pattern: /(?<![A-Z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])/g, anchors: ["AKIA", "ASIA"] },
  {
    pattern: /gl(?:pat|rt|dt|soat|ptt|ft|imt|agent|cbt|oas)-[A-Za-z0-9_-]{20,}/g,
    anchors: ["pat-", "rt-", "dt-", "soat-", "ptt-", "ft-", "imt-", "agent-", "cbt-", "oas-"],
  },
  { pattern: /npm_[A-Za-z0-9]{36}/g, anchors: ["npm_"] },
  { pattern: /x(?:ox[abceoprs]|app)-[A-Za-z0-9-]{10,}/g, anchors: ["xox?-", "xapp-"] },
  { pattern: /AIza[A-Za-z0-9_-]{35}/g, anchors: ["AIza"] },
  // JWT: its payload is a JSON object in base64url, so it starts with `{"`. The lookbehind lets a match begin only once per word,
  // because a megabyte of `eyJ` is a single word.
  {
    pattern: /(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{11,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]{8,})?/g,
    anchors: [".eyJ"],
  },
  // A private key without an end marker matches up to the end of the text.
  {
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
    anchors: ["-BEGIN"],
  },
];

/** Shapes of credentials. A false positive removes a word from a comment; a miss publishes the credential (S18). */
export const SECRET_SHAPES: readonly SecretShape[] = [
  ...TELLING_SHAPES,
  // Coder session token (https://coder.com/docs): ten characters, a dash, and twenty-two characters.
  {
    pattern:
      /(?<![A-Za-z0-9-])(?=[A-Za-z]*\d)(?=[A-Za-z0-9]{10}-(?=[a-z0-9]*[A-Z])(?=[A-Za-z]*\d))[A-Za-z0-9]{10}-[A-Za-z0-9]{22}(?![A-Za-z0-9-])/g,
    hint: /-[A-Za-z0-9]{22}/,
  },
  {
    pattern: /(?<=\bauthorization["']?\s{0,3}[:=]\s{0,3}["']?(?:bearer|token|basic)\s{1,3})[^\s"',;]{8,}/gi,
    hint: /authorization/i,
  },
  { pattern: /(?<=:\/\/[^\s/:@]{0,100}:)[^\s/@]{3,200}(?=@)/g, hint: /:\/\// },
  // A value that mixes letters and digits and is assigned to a name such as "secret" or "token".
  {
    pattern:
      /(?<=(?:secret|token|passw(?:or)?d|passphrase|(?:api|access|private|signing|encryption|account)[_-]?key|credentials?)(?:[_-]\w{0,20})?["']?\s{0,3}[:=]\s{0,3}["']?)(?=[^\s"']{0,80}\d)(?=[^\s"']{0,80}[A-Za-z])[A-Za-z0-9+/_.~=-]{12,}/gi,
    hint: /[:=]\s{0,3}["']?[A-Za-z0-9+/_.~=-]{12}/,
  },
];

/**
 * Shapes of known length. They are used where all separators were removed, so that text after a token does not count as part of
 * it.
 */
export const MEASURED_SHAPES: readonly SecretShape[] = [
  { pattern: /gh[opusr]_[A-Za-z0-9]{36}/g, anchors: ["gh?_"] },
  { pattern: /github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}/g, anchors: ["b_pat"] },
  { pattern: /sk-ant-[a-z0-9]{3,8}-[A-Za-z0-9_-]{32,95}/g, anchors: ["sk-ant"] },
  { pattern: /[srp]k_(?:live|test)_[A-Za-z0-9]{24}/g, anchors: ["k_live", "k_test"] },
  { pattern: /(?:AKIA|ASIA)[A-Z0-9]{16}/g, anchors: ["AKIA", "ASIA"] },
  { pattern: /glpat-[A-Za-z0-9_-]{20}/g, anchors: ["glpat-"] },
  { pattern: /npm_[A-Za-z0-9]{36}/g, anchors: ["npm_"] },
  { pattern: /AIza[A-Za-z0-9_-]{35}/g, anchors: ["AIza"] },
];
