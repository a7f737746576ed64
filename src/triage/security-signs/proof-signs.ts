import type { SignPatterns } from "./security-sign.ts";

/** Signs that the report contains the attack or its result: payloads and responses that do not occur in an ordinary report. */
export const proofSigns: SignPatterns = {
  "files-of-the-machine": [
    /\broot:[x*!]?:0:0:|\bdaemon:[x*]:\d+:\d+:/,
    /(?:\.\.[/\\]){1,20}[^\s"'`]{0,60}(?:etc[/\\]|\.ssh\b|passwd|shadow\b|\.env\b|\.git[/\\]|windows[/\\]|win\.ini|bin[/\\](?:ba)?sh|proc[/\\]|crontab)/i,
    /(?:\b(?:show|return|print|serve|display|answer|leak|download|retriev|dump|devuelv|devolv|renvo|affich|liefert|zeigt|restituisc)\w{0,6}\b|возвращает|отда[её]т|返回|读取|表示|반환).{0,60}(?:\/etc\/(?:passwd|shadow|hosts|hostname)\b|\/proc\/self|win\.ini|id_rsa\b)/iu,
    /(?:\/etc\/(?:passwd|shadow|hosts)\b|\/proc\/self\/environ|\bid_rsa\b).{0,60}\b(?:is|was|are|gets?) (?:shown|returned|served|readable|read|displayed|printed|downloaded|leaked)\b/i,
    /\bSYSTEM\s+["'](?:file|https?|php|expect|gopher):/i,
  ],
  "code-run": [/\buid=\d+\(\w+\)/],
  "service-stopped": [
    /\([^()\s]{1,20}[+*]\)[+*].{0,200}\b(?:hangs?|busy|minutes?|\d+ ?s(?:econds?)?|time out|100 ?%)\b/is,
  ],
  "entry-without-login": [
    /\bX-(?:Forwarded-For|Real-IP|Original-URL|Forwarded-Host)\b.{0,80}\badmin\b.{0,200}\b200\b/is,
  ],
  "query-changed": [
    /['"]\s?(?:or|and|\|\|)\s{1,4}['"]?(\w{1,8})['"]?\s?=\s?['"]?\1\b|'\s?or\s{1,3}true\b|%27(?:%20|\+)or/i,
    /\bunion(?:\s|\+|%20|\/\*\*\/){1,4}(?:all(?:\s|\+|%20))?select\b.{0,120}(?:pass|--|information_schema|sqlite_master|null,|@@version|from(?:\s|\+|%20)users)/i,
    /['")]\s{0,2};\s{0,2}drop\s{1,3}table\b|\bpg_sleep\(|\bwaitfor\s{1,3}delay\b|\b(?:and|or|select)\s{1,3}sleep\(\d/i,
    /\b(?:password|user(?:name)?|token|login|email)\b.{0,24}\$(?:ne|gt|regex|where)\b|\[\$(?:ne|gt|regex)\]/i,
  ],
  "internal-address-reached": [
    /\b169\.254\.169\.254\b|\bmetadata\.google\.internal\b|\blatest\/meta-data\b|\bgopher:\/\/|\burl=file:\/\//i,
  ],
  "forgery-accepted": [
    /\beyJhbGciOiJ(?:ub25l|Ob25l|OT05F)|\balg\b["'`]?\s?(?:[:=]|set to|is)?\s?["'`]?none\b/i,
    /%0d%0a|\b(?:set-cookie|location)\b.{0,60}\\r\\n|\\r\\n.{0,40}\bset-cookie\b/i,
  ],
  "credentials-shown": [
    /\bSecretAccessKey\b.{0,200}\bAccessKeyId\b|\bAccessKeyId\b.{0,200}\bSecretAccessKey\b/is,
    /"?password_?hash"?\s?[:=]\s?"?\$2|\$2[aby]\$\d\d\$\w|-----BEGIN (?:[A-Z]{2,9} ){0,2}PRIVATE KEY(?: BLOCK)?-----\s{0,4}\w{8}/i,
    /(?:curl|GET|visit|open)\b.{0,200}\b(?:DATABASE_URL|DB_PASSWORD|SECRET_KEY|AWS_SECRET_ACCESS_KEY)\s?[=:]\s?\S{4}/is,
  ],
};

/**
 * Payloads. They count only together with one of their effects, because a person may quote a payload in a report about a parser.
 */
export const payloadSigns: SignPatterns = {
  "files-of-the-machine": [
    /(?:%2e|\.)(?:%2e|\.)(?:%2f|%5c)|%2e%2e[/\\]|%252e%252e|%c0%af|--path-as-is\b/i,
    /\bhttps?:\/\/[^\s"'`<>]{0,200}\/\.\.\/|\bGET \/[^\s"'`]{0,200}\.\.\//i,
  ],
  "script-in-a-browser": [
    /<script[^>]{0,80}>\s{0,20}(?:alert|prompt|confirm|fetch|eval|document|location|new Image)\b/i,
    /\bon(?:error|load|focus|toggle|mouseover|mouseenter|begin|start|pointerenter)\s?=\s?["'`]?\s{0,4}(?:alert|prompt|confirm|eval|fetch|import|document|print|top|parent)\b/i,
    /\bjavascript:(?:\/\/)?(?:alert|prompt|confirm|fetch|eval|document|window|void\(?alert)/i,
    /\balert\((?:1|document\.|window\.origin|origin|["'`]?xss)/i,
    /%3Cscript|&#0*106;avascript|java(?:&#9;|\\t|%09)script:/i,
  ],
  "code-run": [
    /[;|&`]\s?(?:curl|wget|fetch)\b[^\n`]{0,80}\|\s?(?:ba|z|da)?sh\b/i,
    /\b(?:touch|cat|echo|curl|nc|id)[ %][^\n"'`]{0,60}\bpwn(?:ed)?\b|\bpwned\b|\$\((?:id|whoami|touch [^)\n]{1,60})\)|`(?:id|whoami)`[;"'.]|;\s?(?:id|whoami)\s?["'`;#]|\/dev\/tcp\//i,
    /["'`]\s{0,2};\s{0,2}touch\b|[;|&]{1,2}\s?touch \S{1,60}|\bext::sh\b|\bcalc(?:\.exe|ulator\.app)\b|\bopen -a Calculator\b/i,
    /!!python\/object|!!js\/function|_\$\$ND_FUNC\$\$_|\brO0AB|__reduce__|\bO:\d{1,3}:"\w|ysoserial/,
    /constructor\.constructor|mainModule\.require\(|(?:constructor|Function)\(\s?["'`]return (?:process|this)|\{\{\s?7\s?\*\s?'?7|\$\{7\*7\}|<%=?\s?7\s?\*\s?7|__subclasses__|__globals__|__class__\.__(?:mro|base)/,
    /(?:__proto__|constructor\W{0,4}prototype).{0,300}(?:is_?admin|pollut|\(\{\}\)\.|\{\}\.\w|Object\.prototype)|(?:pollut\w{1,5}|Object\.prototype).{0,300}__proto__/is,
  ],
  "forgery-accepted": [
    /[?&](?:next|url|to|redirect\w{0,8}|return\w{0,8}|continue|goto|dest\w{0,8}|back)=(?:\/\/|\\\\|%2f%2f)\w/i,
    /\\(?:e|x1b|033)\]\d{1,4};[^\n]{0,80}(?:touch|curl|rm |\\a)/i,
  ],
};

export const PAYLOAD_EFFECT =
  /^\$ ls |\bconsole\.log\(|\b(?:runs?|ran|execut\w+|fires?|pops?|shows?|shown|works?|working|trigger\w*|appears?|creat(?:es|ed)|exists?|prints?|answers?|returns?|leak\w*|opens?|expected|accepted|displayed|steals?|gets?|gives?|ends|stops|types)\b/im;
