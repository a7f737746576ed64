import { type ConceptPatterns, concept } from "./concept.ts";

const secret =
  "(?:api |access |reset |session |auth |refresh |bearer |login )?tokens?|pass(?:words?|phrases?|wd)|secrets?|credentials?|(?:api|private|secret|signing|encryption|ssh|access)[- ]?keys?|pin(?: code)?|authori[sz]ation headers?|connection strings?|database urls?|client secrets?|keys for";
const place = "(?:log|debug|debugging|trace|output|stdout|stderr|console|journal|syslog|crash|audit)";
const placeOfOutput = `(?:\\w+ )?(?:${place}s?(?: ?(?:log|file|output|page|report|line|trace|dump)s?)?|log-?files?|(?:page|html) source|source of the page|bundle|stack ?traces?|\\w+\\.log|json response|response body|bug reports?|exports?|status page)`;

/** Concepts about how a person got in, and which credentials were exposed. */
export const entryConcepts = {
  /** A password that is wrong, empty or not checked. */
  "password-ignored": concept(
    `(?:empty|blank|missing|any|wrong|incorrect) pass(?:words?|phrase)|with no pass(?:word|phrase)|pass(?:word|phrase)(?: \\w+){0,3} (?:is |was |being |left |stays? )(?:empty|blank|missing|nonsense|wrong)|leav(?:e|ing) (?:the |out the )?pass\\w+|left (?:the |out the )?pass\\w+|user ?name alone|(?:only|just) (?:the |my |a )?(?:user ?name|e-?mail) (?:is )?(?:enough|needed)|both let|password check ignores`,
    "leere[mnsr]? (?:passw|kennw)|(?:passw|kennw)ort (?:\\p{L}+ )?(?:leer|weg)|mot de passe (?:vide|incorrect|quelconque)|champ est vide|contraseña (?:vac[íi]a|en blanco|incorrecta|cualquiera)|senha (?:em branco|vazia|errada|qualquer)|password (?:vuota|sbagliata|qualsiasi)|пуст\\p{L}{1,3} парол|люб\\p{L}{1,3} парол|парол\\p{L}{1,2} (?:пуст|не нужен)|密码(?:留空|为空|不填|随便|空着)|不(?:填|输)(?:入)?密码|パスワードが?空|(?:空|間違った)の?パスワード|パスワード(?:なし|を入れ(?:なくて|ず))|비밀번호(?:를|가)? ?(?:비우|비워|없이|틀려)",
  ),
  /** The login let the reporter in. */
  "let-in": concept(
    "let(?:s)? (?:me|us|you|him|her|them|anyone|anybody|people) in|(?:can|could|am|was|were|get|got|still|gets|is|are) (?:log(?:ged)? ?in|login|logged|sign(?:ed)? in)|log(?:s|ged) (?:me|us|you) in|got in|am in\\b|i'm in\\b|i get in|(?:login|log-in|sign-in|it|registration) (?:works|succeeds|possible|passes|accepts|ok)|valid session|welcome",
    "drin\\b|anmeldung (?:klappt|geht|möglich|funktioniert)|eingeloggt|klappt|connexion possible|connecte quand même|suis connect|\\bpuede entrar|\\bse puede entrar|abre la sesi|entré\\b|funciona|entrei|\\bdentro\\b|si entra|войти|попада|вход|пуска|登录|登陆|进入|进去|ログインでき|入れ|로그인(?:됩|이 됩|할 수)|들어가",
  ),
  /** No login took place. */
  "no-session": concept(
    "(?:code|second step|two[- ]step\\w*|2fa|confirmation)(?: \\w+){0,2} (?:is )?(?:not asked|never asked|skipped)|asks for no (?:code|password|pin|login)|no (?:code|password|pin|login) (?:is )?(?:asked|needed)|(?:private|incognito) (?:window|tab)|no login page|not logged in(?:,|$)|logged out, |without (?:even )?(?:any |a |the |my |being )?(?:token|log-?in|logged in|cookie|session|password|passphrase|account|sign-?in|signing in|logging in|authori[sz]ation)",
    "ohne (?:passwort|kennwort|anmeldung|login|token)|sans (?:mot de passe|connexion|jeton|s'identif|authentif|être connect|être authentif|se connecter)|sin (?:contraseña|iniciar sesi|clave|token)|sem (?:senha|login|token)|senza (?:password|login|accesso|token)|без (?:парол|входа|авториз|токена)|(?:没有|无需|不用|不需要|未)(?:登录|密码|认证)|ログイン(?:せず|なし|しなくて)|로그인 ?(?:없이|하지 않)",
  ),
  /** Access succeeded. */
  entered: concept(
    "(?<!not )(?<!n't )(?:able to access|can access|connects|everybody can|allows entry|gained|accept(?:s|ed)|works|succeeded|succeeds|answers?|returns?|came up|come up|is there|are there|can be|opens?|opened|visible|shows?|shown|downloads?|removes?|deletes?|switch\\w*|reads?|lists?)",
    "peut (?:visiter|voir|acc[ée]der|consulter|ouvrir)|erreichbar|abrufbar|sichtbar|[öo]ffne|accessible|visible|accesible|acess[íi]vel|accessibile|доступ|открыва|видн|访问|查看|アクセスでき|見られ|見え|접근|볼 수",
  ),
  /** One phrase says that a credential is written to a place where it is stored or others can read it. */
  "secret-in-output": concept(
    `(?<!(?:wrong|incorrect|invalid|right|correct|unexpected|mask|hide|redact|entering|mask the|no) )(?:${secret})(?! (?:expired|invalid|wrong|missing|not|required|error|count|reset|field|mismatch|refused))\\b.{0,60}\\b(?:in|into|to|on|inside)(?: \\w+){0,3} (?:${placeOfOutput})(?! (?:time|zone|in|into|page|level))|(?:${placeOfOutput})(?: \\w+){0,3} (?:hold|contain|show|print|leak|includ|has|have|with|reveal|dump|expos|display|spit)\\w*(?: out)?\\b(?! (?:"|'|no |wrong|invalid))(?: \\S+){0,8} (?:${secret})(?! (?:expired|invalid|wrong|missing|not|required|error|count|reset|field|mismatch|is wrong|was wrong))|(?:page|command|tool|cli|endpoint|route|settings?|request is logged)\\b.{0,40}\\b(?:prints?|shows?|returns?|logs?|logged|dumps?)\\b.{0,40}\\b(?:${secret})\\b.{0,60}\\b(?:as it is|in clear|in plain|in full|whole|complete|for each|for every|unmasked|in which|stands)|(?:${secret})(?: \\w+){0,6} (?:in clear(?: ?text)?|(?:in|as) plain ?text|unmasked|unredacted|as it is)|all variables of the server|dumped before`,
    "(?:passw[öo]rt|kennw[öo]rt|token|schlüssel|zugangsdaten)\\p{L}*.{0,40}(?:protokoll|log(?:datei|s|\\b)|ausgabe|klartext)|(?:protokoll|log(?:datei|s|\\b)|ausgabe)\\p{L}*.{0,40}(?:passw[öo]rt|kennw[öo]rt|token|schlüssel|zugangsdaten)|(?:mots? de passe|jetons?|clés?|secrets?).{0,40}(?:journa(?:l|ux)|logs?\\b|en clair|sortie)|(?:journa(?:l|ux)|logs?\\b).{0,40}(?:mots? de passe|jetons?|secrets?)|(?:contraseñas?|claves?|tokens?|secretos?).{0,40}(?:registros?|logs?\\b|texto plano|en claro|salida)|(?:registros?|logs?\\b).{0,40}(?:contraseñas?|claves|tokens?\\b|secretos)|(?:senhas?|tokens?|chaves?|segredos?).{0,40}(?:logs?\\b|texto (?:puro|claro|plano)|registros?)|logs?\\b.{0,40}(?:senhas?|segredos)|(?:password|token|chiav[ei]|segret[oi]).{0,40}(?:nei? log|in chiaro|registro)|(?:парол|токен|ключ|секрет)\\p{L}*.{0,40}(?:лог(?:и|ах|е|\\b)|журнал|открыт\\p{L}+ (?:вид|текст))|(?:лог(?:ах|е|и)|журнал)\\p{L}*.{0,40}(?:парол|токен|секрет)|(?:日志|输出|控制台).{0,12}(?:密码|令牌|密钥|token)|(?:密码|令牌|密钥|token).{0,14}(?:日志|明文|控制台)|(?:ログ|出力|コンソール).{0,8}(?:パスワード|トークン|秘密鍵|認証情報)|(?:パスワード|トークン|秘密鍵|認証情報).{0,10}(?:ログ|平文)|로그.{0,8}(?:비밀번호|토큰|비밀키|암호)|(?:비밀번호|토큰|비밀키|암호).{0,12}(?:로그에|평문|그대로)",
  ),
} satisfies Record<string, ConceptPatterns>;
