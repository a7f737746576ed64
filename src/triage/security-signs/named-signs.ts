import type { SignPatterns } from "./security-sign.ts";

/** Signs that the report itself says that it describes a vulnerability. */
export const namedSigns: SignPatterns = {
  "named-vulnerability": [
    /\bvulnerabilit(?:y|ies)\b|\bvulnerable\b|\bvulns?\b|\bzero[- ]?day\b|\b0-?day\b/i,
    /\b(?:security|privacy) (?:issue|hole|flaw|bug|problem|weakness|breach|risk|concern|defect|leak|incident|report|advisory|researcher)s?\b/i,
    /\bCVE-\d{4}-\d{3,}|\bCVE (?:request|id|number)|\b(?:assign|request)\w*.{0,20} CVE\b|\bGHSA(?:-\w{4}){2,3}\b|\bCVSS\b|\bCWE-\d{1,4}\b/i,
    /\b(?:RCE|SQLi|SSRF|XXE|SSTI|IDOR|ReDoS)\b/,
    /\b(?:stored|reflected|persistent|blind|DOM(?:[- ]based)?|self)[- ]XSS\b|\bXSS (?:in|via|through|on|when|by|vector|payload|attack|bug|possible)\b|\b(?:to|an|causes|allows|possible) XSS\b|\bcross[- ]site (?:scripting|request forgery)\b|\b(?:no|missing|lacks?|without|lacking) CSRF\b|\bCSRF (?:in|on|via|attack)\b/i,
    /\b(?:(?:no)?sql|os|command|shell|code|crlf|ldap|xpath|argument|formula|server-side template) injection\b|\b(?:html|script|header|template|prompt|log) injection (?:in|via|through|attack|possible|allows?|lets)\b/i,
    /\bpath traversal\b|\bdirectory traversal (?:in|via|through|when|attack|bug|allows?)\b|\bzip[- ]slip\b/i,
    /\b(?:remote|arbitrary|unauthenticated) (?:code|command)s? execution\b|\barbitrary (?:file|memory) (?:read|write|access|upload|deletion|overwrite|inclusion|disclosure)s?\b|\b(?:read|write|overwrite|delete|execute|run|upload|inject|fetch|load)\w* arbitrary (?:\w+ )?(?:files?|code|commands?|sql|javascript|memory|urls?)\b/i,
    /\b(?:auth\w*|login|password check|permission check|access control|2fa|mfa|otp|sandbox|signature check)(?: \w+){0,2} bypass(?:ed|es)?\b|\bbypass(?:es|ing|ed)? (?:the |of the |all )?(?:auth\w*|login|password|permission checks?|access controls?|2fa|mfa|sandbox|signature)\b/i,
    /\bprivilege escalation\b|\bescalat\w+ (?:of )?(?:their |his |my |our )?privileges?\b|\b(?:session|cookie) (?:fixation|hijack\w*)\b|\baccount takeover\b|\bopen redirect\w*\b|\bclick-?jacking\b|\bman[- ]in[- ]the[- ]middle\b|\btiming attack\b|\bprototype pollution\b/i,
    /\b(?:insecure|unsafe|untrusted) deseriali[sz]ation\b|\binsecure direct object\b|\bbroken access control\b|\bhard-?coded (?:\w+ ){0,2}(?:credentials?|passwords?)\b|\buser enumeration\b|\b(?:cache|dns) poisoning\b|\brequest smuggling\b|\bresponse splitting\b/i,
    /\b(?:heap|stack)[- ]buffer[- ]over(?:flow|run|-?read)\b|\bbuffer over(?:flow|run|-?read) (?:in|when|via|allows?)\b|\buse[- ]after[- ]free\b|\bdouble[- ]free\b|\bout[- ]of[- ]bounds (?:read|write)\b|\bmemory corruption\b/i,
    /\bdenial[- ]of[- ]service\b|\bDDoS\b|\bDoS (?:attack|vector|via|by|through|in)\b|\(DoS\)/,
    /\b(?:an|any|remote|local|network) (?:attacker|adversary|hacker)s?\b|\battackers? (?:can|could|may|might|to|with|who|is|control\w*)\b|\bmalicious(?:ly)?\b|\bexploitable\b|\b(?:be|been|being|actively) exploited\b|\b(?:working|public|poc) exploit\b|\bexploit (?:code|chain|poc)\b/i,
    /\brce (?:via|through|in|by|when)\b|\bpriv(?:ilege)?[- ]?esc\b|\bset-?uid\b|\b(?:root|reverse|web)[- ]?shell\b|\b(?:gets?|gains?|pops?) (?:a )?(?:root|shell)\b|\b(?:PoC|proof[- ]of[- ]concept)\b.{0,60}\b(?:exploit|payload|execute|attack|shell)\b/i,
    /\b(?:csv|xml|e-?mail|host header) injection\b|\beval\w* (?:of|on) (?:user|untrusted|unsanit\w+|request|query)\b|\bshell meta-?characters?\b|\bhard-?coded (?:\w+ ){0,2}(?:secret|private|encryption|api|signing)(?: keys?)?\b|\b(?:plain[- ]?text|unhashed|unencrypted) passwords?\b|\bpasswords? (?:\w+ ){0,2}(?:in|as) (?:plain|clear)[- ]?text\b/i,
    /\b(?:missing|no|lacks?|without|insufficient|improper) (?:authori[sz]ation|permission|access control|ownership)(?: checks?)? (?:check|on|in|at|for)\b|\b(?:weak|predictable|insecure) (?:random\w*|session ids?|tokens?|hash\w*|ciphers?|encryption)\b|\bcookies?\b.{0,30}\bwithout (?:http-?only|secure)\b|\bbuckets?\b.{0,20}\bpublic(?:ly)?\b/i,
    /\b(?:leaks?|leaking|expos(?:es|ed|ing)|disclos(?:es|ed|ing))\b.{0,40}\b(?:access tokens?|secrets?|credentials?|passwords?|(?:api|private|access)[- ]keys?|personal data|PII)\b|\b(?:access tokens?|secrets?|credentials?|passwords?|(?:api|private|access)[- ]keys?|personal data|PII)\b.{0,30}\b(?:leak(?:s|ed)?|exposed|disclosed)\b/i,
    /\bmalware\b|\bback-?door(?:ed|s)?\b|\bcrypto-?miner\b|\bdefault (?:admin )?(?:credentials|passwords?) (?:is|are|work)|\b(?:certificate|tls|ssl|signature) (?:validation|verification) is disabled\b|\b(?:allow|block|deny|white|black)-?lists? (?:can|could|may) be (?:circumvented|evaded|bypassed)\b/i,
    /\b(?:api|aws|private|access|secret|signing) keys? (?:are |were |is |was )?(?:committed|checked in|published|pushed)\b|\bsessions?\b.{0,20}\b(?:stays? valid|is not invalidated|(?:not|never) (?:invalidated|revoked))\b|\b(?:user|tenant|customer|account) \w{1,2} (?:can|could|may) (?:see|read|edit|delete|access)\b.{0,20}\b(?:user|tenant|customer|account) \w{1,2}\b|\b(?:commands?|code) (?:is|are|gets?) executed (?:when|if|by|through)\b.{0,20}\b(?:file ?name|branch|title|header|name)\b/i,
    /(?<!hand[- ])\bcrafted (?:\w+ )?(?:files?|packets?|inputs?|requests?|payloads?|urls?|images?|archives?|documents?|links?|messages?|strings?|headers?|templates?)\b|\bpen(?:etration)?[- ]?test(?:ers?|ing)?\b|\bexploit attached\b/i,
    /vulnerabili(?:dade?s?|dades|tà)(?!\p{L})|vuln[ée]rabilit[ée]|falhas? de seguran|(?:falla|fallo|problema|brecha|agujero)s? (?:de segur|di sicurezza)|faille|probl[èe]mes? de s[ée]curit|Sicherheits(?:l(?:ü|ue)cke|problem|risiko|mangel)|Schwachstelle|kwetsbaarheid|beveiligingslek|s[åa]rbarhet|haavoittuvuu|zranitelnost|podatno[śs][ćc] |g[üu]venlik a[çc][ıi]|lỗ hổng/iu,
    /уязвим|дыр\p{L}{1,3} в безопасност|проблем\p{L}{1,3} (?:с )?безопасност|вразливіст|漏洞|安全(?:问题|問題|隐患|隱患|缺陷|风险|風險)|脆弱性|セキュリティ(?:ホール|上の|の?問題|リスク|の欠陥)|취약점|취약성|보안\s?(?:문제|결함|이슈|구멍|허점)|ثغرة/iu,
    /\b(?:un |el |o |um |l')?(?:atacante|attaquant|aggressore|aanvaller)s?\b|Angreifer|злоумышленник|攻击者|攻擊者|攻撃者|공격자|saldırgan/iu,
    /inyecci[óo]n (?:de )?(?:sql|c[óo]digo|comandos)|inje[çc][ãa]o (?:de )?(?:sql|c[óo]digo|comandos)|injection (?:sql|de code|de commandes?)|(?:sql|код|команд)\p{L}{0,2}[- ]инъекци|инъекци\p{L} (?:sql|кода|команд)|(?:sql|命令|代码|脚本|模板)\s?注入|(?:sql|コマンド|コード)\s?インジェクション|(?:sql|명령어?|코드)\s?인젝션/iu,
    /обход\p{L}{0,2} (?:аутентиф|авториз|провер)|越权|认证绕过|绕过(?:认证|登录|鉴权|验证)|認証(?:を)?(?:回避|バイパス|迂回)|인증\s?우회|XSS漏|跨站|ディレクトリトラバーサル|目录(?:遍历|穿越)/iu,
  ],
};
