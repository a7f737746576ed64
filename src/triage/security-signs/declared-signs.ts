import type { SignPatterns } from "./security-sign.ts";

/** Signs that the reporter asks for a private channel, or that an issue form declares a security report. */
export const declaredSigns: SignPatterns = {
  "private-channel-asked": [
    /\b(?:private|confidential|non-?public|sensitive) (?:channel|contact|disclosure|advisor(?:y|ies)|conversation|matter|issue|problem|bug|finding|vulnerability|report(?:ing)?|way to (?:report|contact|reach))\b/i,
    /\b(?:contact|reach(?: out)?(?: to)?|write(?: to)?|message|talk to|e-?mail|tell|dm) (?:\w+ ){0,8}(?:privately|in private|confidentially|about (?:something|anything|an?) (?:sensitive|confidential|private|security))\b/i,
    /\b(?:report|disclos|shar|send|discuss|submit)\w{0,4} (?:\w+ ){0,10}(?:privately|in private|confidential\w*|responsibl[ey]|securely)\b/i,
    /\b(?:responsible|coordinated|vulnerability|security) disclosure\b|\bdisclosure (?:policy|contact|process)\b|\bbug bounty\b|\bsecurity@|\bsecurity (?:contact|team|e-?mail|policy)\b|\bPGP key\b|\b(?:no|without a|missing|lacks? a|has no) SECURITY\.md\b/i,
    /\b(?:rather not|prefer not to|don't want to|do not want to|shouldn't be|should not be|won't|can't|not going to) (?:\w+ ){0,4}(?:details?|discuss\w*|describ\w*|post(?:ed)?|disclos\w*|shar\w*|writ\w*|talk\w*)\b.{0,40}\b(?:here|public(?:ly)?|in the open|openly|more)\b|\brather not post\b|\bstay confidential until\b/i,
    /\ben privado|de forma privada|de manera privada|confidencial(?:mente)?|prefiero no (?:publicar|describir|dar)|prefiro n[ãa]o (?:publicar|descrever|dar)|em privado|(?:contact|écri|joindre|signal)\p{L}*.{0,40}en priv[ée]|confidentiel|pr[ée]f[èe]re ne pas (?:d[ée]crire|publier|donner)|(?:divulgaci[óo]n|divulga[çc][ãa]o|divulgation) (?:responsable|respons[áa]vel)/iu,
    /vertraulich|nicht [öo]ffentlich (?:beschreiben|posten|melden|machen|diskut|schreib|teilen)|privat (?:melden|kontakt|erreichen|schreiben)|приватно|конфиденциальн|в личк[уе]|не хо(?:чу|телось бы) (?:публич|писать здесь|раскрывать)|связаться лично/iu,
    /私下|私聊|私信联系|不方便公开|不便公开|非公開で|内密に|公開の場|비공개로|비공개 (?:채널|연락|제보)|공개적으로/u,
  ],
  "declared-in-a-form": [
    /^#{1,6}[^\n]{0,40}\b(?:type|category|kind|class\w*|area|label|topic)\b[^\n]{0,40}\n\s{0,8}(?:[-*] (?:\[x\] )?)?[^\n]{0,12}(?:security|vulnerab)/im,
    /^#{1,6}[^\n]{0,80}(?:security|vulnerab)[^\n]{0,80}\n\s{0,8}(?:[-*] )?(?:\[x\] )?(?:yes|y|true|ja|oui|s[ií]|sim|да|是|はい|예|네)(?!\p{L})/imu,
    /^\s{0,8}(?:[-*] )?\[x\](?![^\n]{0,120}\b(?:not?|n't|read|policy|agree|confirm|aware|check\w*|search\w*|isn't)\b)[^\n]{0,60}(?:security|vulnerab)/im,
    /^(?:\*\*)?(?:type|category|kind)(?:\*\*)?:(?:\*\*)?\s{0,4}(?:security|vulnerab)/im,
  ],
};

/** A label with which a project marks security reports: the word alone or as part of a longer name. */
export const SECURITY_LABEL =
  /(?<!\p{L})(?:security|vulnerability|vulnerabilities|vuln|cve|seguridad|seguran[çc]a|s[ée]curit[ée]|sicherheit|sicurezza|безопасность|уязвимость)(?!\p{L})|安全|漏洞|セキュリティ|脆弱性|보안|취약점/iu;
