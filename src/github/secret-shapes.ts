/** Credentials that tell what they are, wherever they stand. */
export const TELLING_SHAPES: readonly RegExp[] = [
  /gh[a-z]_[A-Za-z0-9._-]{36,}/g,
  /github_pat_\w{22,}/g,
  /sk-ant-[A-Za-z0-9_-]{16,}/g,
  // Stripe, Hugging Face, Shopify, SendGrid, Google OAuth, DigitalOcean, HashiCorp Vault, PyPI, Docker Hub, Linear, Sentry
  /(?<![A-Za-z0-9])(?:(?:[srp]k)_(?:live|test)_|whsec_|hf_|lin_api_|sntrys_)[A-Za-z0-9]{16,}/g,
  /(?<![A-Za-z0-9])(?:shp(?:at|ca|pa|ss)_|do[opr]_v1_|dapi)[a-f0-9]{32,}/g,
  /(?<![A-Za-z0-9])SG\.[\w-]{16,}\.[\w-]{16,}/g,
  /(?<![A-Za-z0-9])(?:ya29\.|hv[sbr]\.|pypi-|dckr_(?:pat|oat)_|AGE-SECRET-KEY-1)[\w-]{20,}/g,
  /(?<=hooks\.slack\.com\/(?:services|workflows)\/)[\w/+-]{10,}/g,
  /(?<=discord(?:app)?\.com\/api\/webhooks\/)[\w/-]{20,}/g,
  /(?<!\d)\d{8,10}:AA[\w-]{33}/g,
  /(?<![A-Za-z0-9])sk-(?:proj-|live-|test-)?[A-Za-z0-9_]{32,}/g,
  /(?<![A-Z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])/g,
  /gl(?:pat|rt|dt|soat|ptt|ft|imt|agent|cbt|oas)-[A-Za-z0-9_-]{20,}/g,
  /npm_[A-Za-z0-9]{36}/g,
  /x(?:ox[abceoprs]|app)-[A-Za-z0-9-]{10,}/g,
  /AIza[A-Za-z0-9_-]{35}/g,
  // JWT: its payload is a JSON object in base64url, so it starts with `{"`. Begun once a word: a megabyte of `eyJ` is one.
  /(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{11,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]{8,})?/g,
  // A private key whose end is missing is cut to the end of the text.
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
];

/** Shapes of credentials. A false hit costs a word of a comment; a miss costs the credential (S18). */
export const SECRET_SHAPES: readonly RegExp[] = [
  ...TELLING_SHAPES,
  // Coder session token: https://coder.com/docs, ten characters, a dash, twenty-two.
  /(?<![A-Za-z0-9-])(?=[A-Za-z]*\d)(?=[A-Za-z0-9]{10}-(?=[a-z0-9]*[A-Z])(?=[A-Za-z]*\d))[A-Za-z0-9]{10}-[A-Za-z0-9]{22}(?![A-Za-z0-9-])/g,
  /(?<=\bauthorization["']?\s{0,3}[:=]\s{0,3}["']?(?:bearer|token|basic)\s{1,3})[^\s"',;]{8,}/gi,
  /(?<=:\/\/[^\s/:@]{0,100}:)[^\s/@]{3,200}(?=@)/g,
  // What is assigned to a name that says it is a secret, when letters and digits are mixed in it.
  /(?<=(?:secret|token|passw(?:or)?d|passphrase|(?:api|access|private|signing|encryption|account)[_-]?key|credentials?)(?:[_-]\w{0,20})?["']?\s{0,3}[:=]\s{0,3}["']?)(?=[^\s"']{0,80}\d)(?=[^\s"']{0,80}[A-Za-z])[A-Za-z0-9+/_.~=-]{12,}/gi,
];

/** Of known length, so that what follows one is not taken for a part of it where everything between words was left out. */
export const MEASURED_SHAPES: readonly RegExp[] = [
  /gh[opusr]_[A-Za-z0-9]{36}/g,
  /github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}/g,
  /sk-ant-[a-z0-9]{3,8}-[A-Za-z0-9_-]{32,95}/g,
  /[srp]k_(?:live|test)_[A-Za-z0-9]{24}/g,
  /(?:AKIA|ASIA)[A-Z0-9]{16}/g,
  /glpat-[A-Za-z0-9_-]{20}/g,
  /npm_[A-Za-z0-9]{36}/g,
  /AIza[A-Za-z0-9_-]{35}/g,
];
