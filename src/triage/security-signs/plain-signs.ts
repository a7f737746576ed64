import type { SignPatterns } from "./security-sign.ts";

const others =
  "(?:other|another|someone|somebody|anyone|anybody|different|strangers?|colleague|neighbou?r)(?:'s)?(?: else(?:'s)?)?(?: (?:users?|people|persons?|customers?|clients?|tenants?|members?|accounts?|compan(?:y|ies)|organi[sz]ations?|patients?|students?|shops?|teams?))?(?:'s|s'|')?";
const privateThings =
  "(?:orders?|invoices?|messages?|photos?|pictures?|data|files?|documents?|addresse?s?|e-?mails?|profiles?|accounts?|details|sessions?|tickets?|notes?|carts?|cards?|passwords?|tokens?|chats?|records?|contracts?|payments?|bookings?|reports?|calendars?|inbox|phone|information|drafts?|uploads?|projects?|secrets?|keys?|basket|bill|salary|results?)";
const reach =
  "(?:see|saw|seen|read|view(?:ed)?|open(?:ed)?|access(?:ed|es)?|download(?:ed)?|get|got|gets|receiv\\w+|edit(?:ed)?|chang\\w+|delet\\w+|list(?:s|ed)?|show(?:s|n|ed)?|display(?:s|ed)?|find|found|return(?:s|ed)?|browse|logged in (?:as|to)|modify|remove|cancel)";

/** Signs of a vulnerability in plain English. Each sentence is checked separately, and a denial or a wish does not count. */
export const plainSigns: SignPatterns = {
  "data-of-others": [
    /\b(?:logged|signed) in(?:to)? (?:as|to) (?:an?other|someone|somebody|a different|a stranger)\b(?! (?:browser|device|tab|machine|computer))/,
    /\b(?:in|into|inside|took over|take over) (?:the |an? )?(?:account|profile|mailbox|session|inbox) of (?:an?other|someone|somebody|a (?:different |random )?(?:person|user|customer|stranger|colleague))\b/,
    /\b(company|tenant|customer|organi[sz]ation|team|shop|school|clinic|client) (?:a|one|1)\b.{0,100}\b(?:sees?|has|shows?|gets?|contains?|lists?|reads?|opens?|includ\w+|downloads?)\b.{0,50}\b\1 (?:b|two|2)\b/,
    /\bprivate (?:repos\w*|projects?|posts?|messages?|photos?|files?|documents?|channels?|profiles?|events?|lists?)\b.{0,60}\b(?:turn(?:s|ed)? up|show(?:s|ed)? up|appear\w*|(?:is|are) (?:listed|found|indexed|returned))\b.{0,30}\b(?:public|search|google|feeds?|sitemap|visitors?|everyone|everybody)\b/,
    /\bshared? (?:\w+ ){0,3}(?:files?|links?|folders?|documents?|photos?)\b.{0,100}\b(?:(?:download|see|open|read|browse|show)s? (?:everything|all (?:of it|the (?:other|rest))|the (?:whole|entire|rest))|up to the parent|one level up)\b/,
    new RegExp(`\\b${reach}\\b.{0,60}\\b${others} (?:\\w+ ){0,2}${privateThings}\\b`),
    new RegExp(
      `\\b${reach}\\b.{0,60}\\b${privateThings}\\b.{0,30}\\b(?:of|from|belong\\w* to|by) (?:an? |the |all |my |completely |totally )*${others}(?:[ ,.]|$)`,
    ),
    new RegExp(
      `\\b${others} (?:\\w+ ){0,2}${privateThings}\\b.{0,40}\\b(?:after (?:log|sign)\\w*|showed up|shown to me|visible|in my|appear\\w*|accessible|readable)\\b`,
    ),
    /\b(?:see|read|open|view|access|show|return|list|find|search)\w{0,3}\b.{0,80}\b(?:i'm|i am|we're|we are|they're|they are|he is|she is|(?:users?|people|guests?) (?:is|are)) not (?:a member|part|allowed|authori\w+|supposed|invited|entitled|permitted)\b/,
    /\b(?:access to|see|read|reach|browse|download)\b.{0,40}\b(?:whole|entire|all (?:the )?other|everybody's|everyone's) (?:drive|folders?|files?|accounts?|bucket|database|disk|server|documents?)\b/,
    /\bprivate\b.{0,60}\b(?:displayed|visible|shown|accessible|readable|open|downloadable)\b.{0,50}\b(?:anyway|public\w*|to (?:any|every)\w*|for (?:any|every)\w*|not (?:logged|signed) in)\b/,
  ],
  "files-of-the-machine": [
    /\b(?:any|every|system|other) files? (?:\w+ )?(?:on|of|from) (?:the|your|our|my|that) (?:server|machine|disk|host|computer|system|device)\b/,
    /\b(?:read|download|get|got|serve|fetch|writ|open|overwrit|access|plac|extract|copi|sav)\w{0,4}\b.{0,80}\b(?:outside(?: of)?|out of|beyond|above|escap\w+) (?:the |its |my |our |that )?(?:\w+ )?(?:web ?root|document root|public|static|shared?|upload\w*|target|destination|served|sandbox|project|root|base)(?: (?:folder|dir\w*|root|path))?\b/,
    /\b(?:files?|entr(?:y|ies)|symlinks?)\b.{0,40}\b(?:outside(?: of)?|beyond|above) (?:the |its |my |our )?(?:\w+ )?(?:root|folder|dir\w*|jail)\b.{0,80}\b(?:download\w*|read|writt\w+|overwrit\w+|served|got|opened|deleted)\b/,
  ],
  "entry-without-login": [
    /\b(?:can|could) be (?:\w+ ){0,2}(?:fetched|read|downloaded|opened|seen|deleted|changed|edited|viewed|accessed|controlled) by (?:anyone|anybody|everyone|everybody|strangers|any (?:user|visitor|guest))\b/,
    /\b(?:can|could|may) be (?:\w+ ){0,2}\w+(?:ed|en|ound|ead|et|it) without (?:a |any |the )?(?:password|log-?in|logging in|signing in|account|authenticat\w+|pin|code|key)\b/,
    /\b(?:reset|recovery|log-?in|verification|confirmation|one[- ]time|sms|unlock|pairing|access|invit\w+) (?:code|token|password|pin|link)s?\b.{0,60}\b(?:always the same|predictable|guessable|can be guessed|easy to guess|never changes?|counts? up|sequential)\b/,
    /\b(?:door|gate|lock|locker|car|reader|barrier|login|server|device|app|safe|terminal)\b.{0,30}\b(?:open\w*|unlock\w*|accept\w*|lets? \w+ in)\b.{0,20}\b(?:with|to|by|for)? ?(?:any|every|just any|whatever|an arbitrary) (?:card|key|code|token|password|pin|badge|face|finger\w*|certificate|phone)\b/,
    /\b(?:kids?|child|kiosk|guest|demo|parental|lock(?:ed)?|exam|restricted)[- ]?(?:mode|screen|controls?|lock|profile)\b.{0,40}\b(?:can be|is|was) (?:easily |simply )?(?:left|escaped|bypassed|circumvented|skipped|closed|evaded)\b/,
    /\b(?:open|access|see|read|view|download|delete|deleted|get|got|call|reach|use|edit|log|sign|enter|list|in|change|changed|visible|available|works?|reachable|possible)\w{0,4}\b.{0,80}\bwithout (?:a |any |the |being |having |needing |entering |typing )*(?:log(?:ged|ging)?[- ]?in|sign(?:ed|ing)[- ]?in|authenticat\w+|authori[sz]\w+|passwords?|login|credentials?|permissions?|(?:session|access) tokens?)\b/,
    /\bwithout (?:being |having )?(?:logged|signed|logging|signing|authenticat\w+)(?:[- ]?in)?\b.{0,60}\b(?:could|can|able to|am|get|got|see|open|delete|read)\b/,
    /\b(?:wrong|incorrect|empty|blank|any|random|mistyped|no|invalid) passwords?\b.{0,60}\b(?:lets?|still|accepted|works?|logs? (?:me|you|him|her|them|users?) in|logged in|gets? (?:me |you )?in|succeeds?|anyway|regardless)\b/,
    /\b(?:log\w*|sign\w*|enter\w*|works?|access\w*|get|got)(?: \w+){0,3} with (?:an? |the |any )*(?:empty|wrong|blank|incorrect|random|arbitrary|any) passwords?\b/,
    /\b(?:mistyped|misspell?ed|mistype|leav\w+|left|typed? nonsense|emptied)\b.{0,40}\bpassword\b.{0,80}\b(?:logged in|let in|land|am in|got in|get in|dashboard|signed in|in anyway)\b/,
    /\b(?:two[- ]factor|2fa|mfa|otp|second factor|verification code|pin|captcha|login code)\b.{0,80}\b(?:can be (?:skipped|bypassed|tried|guessed)|is (?:skipped|bypassed)|skip(?:ped)?|without limit|unlimited|no limit|brute)\b/,
    /\b(?:no limit|without (?:a )?limit|unlimited|as (?:many|often) as)\b.{0,40}\b(?:attempts?|tries|guess\w*|log-?ins?|passwords?|codes?)\b|\bbrute[- ]?forc\w+ (?:the |a |any |all )?(?:passwords?|pins?|codes?|otps?|log-?ins?|tokens?)\b/,
    /\b(?:guests?|strangers?|anonymous (?:users?|visitors?)|unauthenticated (?:users?|visitors?|requests?|clients?)|logged[- ]out users?|any(?:one|body)(?: (?:on|in|with) [\w ]{1,30})?|any (?:user|visitor|customer|member)|(?:normal|ordinary|regular) users?|non-?admins?) (?:can|could|may|is able to|are able to|has access to|have access to)\b.{0,20}\b(?:delete|read|see|open|download|edit|change|modify|overwrite|take|steal|impersonate|access|call|control|approve|publish|remove|make|send|join|list|enter)\b.{0,60}\b(?:private|photos?|messages?|orders?|files?|documents?|accounts?|users?|data|boards?|admin\w*|settings?|passwords?|repos\w*|database|server|meetings?|projects?|invoices?|records?|backups?|machine|device|camera|e-?mails?|without)\b/,
  ],
  "rights-gained": [
    /\b(?:coupons?|vouchers?|gift ?cards?|promo(?:tion)? codes?|discounts?)\b.{0,20}\b(?:can|could) be (?:used|redeemed|applied|claimed)\b.{0,30}\b(?:twice|without (?:a )?limit|unlimited|(?:several|many|multiple|infinite\w*) times|again and again|as often as)\b/,
    /\b(?:goods|items?|order|everything|products?|tickets?|subscription|plan)\b.{0,30}\b(?:for free|are free|is free|without paying|costs? nothing)\b.{0,60}\b(?:paid|order|checkout|pay|change|times|request)\w*/,
    /\b(?:mak|made|promot|turn|giv|gave|grant|upgrad|appoint)\w{0,4} (?:themselves|himself|herself|myself|yourself|itself|oneself|their own accounts?|my own account)\b.{0,30}\b(?:admin\w*|owner|root|super\w*|moderator|rights?|role|privileges?)\b/,
    /\b(?:becom\w+|became|gain\w*|obtain\w*|ended up with)(?: \w+){0,2} (?:admin\w*|root|owner|superuser|moderator)\b/,
    /\b(?:chang|edit|set|add|send|sent|modif|tamper|put|alter|replac)\w{0,4}\b.{0,60}\b(?:role|is_?admin|user_?id|account id|plan|permissions?)\b.{0,60}\b(?:all rights|admin|owner|rights afterwards|full access)\b/,
    /\b(?:chang|edit|modif|tamper|alter|manipulat|set)\w{0,4}\b.{0,40}\b(?:amount|price|total|quantity|balance|discount)\b.{0,40}\b(?:in the (?:request|url|form|browser|address)|to (?:0|-|zero|negative))/,
    /\b(?:prices?|amounts?|balances?) can be (?:changed|edited|set|manipulated) by (?:the |any )?(?:customers?|users?|buyers?|clients?)\b/,
  ],
  "access-kept": [
    /\b(?:old|previous|former) (?:passwords?|pins?|codes?|(?:api )?keys?|tokens?|links?)\b.{0,30}\b(?:still (?:work\w*|accepted|valid|opens?|lets?)|(?:works?|is valid|is accepted) (?:still|after|afterwards))\b/,
    /\b(?:after|since) (?:i |we |he |she |they )?(?:chang|reset)\w* (?:the |my |his |her |their )?(?:password|pin|code)\b.{0,80}\b(?:still (?:get|log|sign|use|open|read|see)|could still|can still|stay(?:s|ed)? (?:logged|signed) in)\b/,
    /\b(?:removed|deleted|disabled|revoked|fired|former|banned|blocked|expired|suspended|deactivated|kicked)(?: \w+){0,3} (?:users?|employees?|accounts?|members?|tokens?|sessions?|(?:api )?keys?|invit\w+|collaborators?|customers?|admins?|colleagues?|links?)\b.{0,80}\b(?:can still|still (?:can|able|has|have|gets?|works?|valid|logged|opens?|use|access\w*|accepted|see|read|log))\b/,
    /\b(?:removed|deleted|disabled|revoked|fired|banned|left the (?:team|company))\b.{0,100}\b(?:can still|is still able|still (?:has|have) access)\b.{0,40}\b(?:open|see|read|use|access|documents?|everything|log|sign|edit|download|data)\b/,
    /\b(?:reset|recovery|magic|invit\w+|confirmation|share) links?\b.{0,100}\b(?:any account|(?:someone|somebody) else|other (?:users?|accounts?)|my boss|colleague|can be (?:re-?)?used (?:again|twice)|never expires?|still works?)\b/,
    /\bcould (?:then )?(?:set|reset|change) (?:a |the |his |her |their )*(?:new )?passwords? (?:for|of) (?:him|her|them|another|other|any|someone|somebody|my boss)\b/,
  ],
  "script-in-a-browser": [
    /\b(?:script|html|javascript|code)\b.{0,80}\b(?:run|ran|execut\w+)\b.{0,50}\bbrowsers?\b|\b(?:run|ran|execut\w+) (?:\w+ ){0,3}(?:every|other|any|all|the)(?:body|one)?(?:'s)?(?: \w+){0,2} (?:visitors?'?|users?'?|viewers?'?|browsers?)\b/,
    /\b(?:script|javascript|html|code) (?:tags? )?.{0,20}\b(?:nick(?:name)?|user ?name|display name|profile|comment|bio|title|signature|message|file ?name|review)\b.{0,100}\b(?:run|runs|ran|execut\w+|pops? up|popup)\b/,
    /\bany (?:other )?(?:web ?site|origin|domain|web ?page)\b.{0,20}\b(?:can|could|may) (?:read|call|send|change|control|access|steal|trigger|use)\b|\bfrom (?:a page (?:on|of)|any page on) (?:another|a different|any) (?:domain|origin|site)\b/,
  ],
  "code-run": [
    /\b(?:upload\w*|attach\w*|stranger|visitor|guest|picture|image|document|message|plugin|e-?mail)\w?\b.{0,80}\b(?:execut\w+|runs?|run) .{0,30}\b(?:on|at) (?:the|your|our) (?:server|host|machine|computer|backend)\b/,
    /\b(?:lets?|allows?|able to|can|could)\b.{0,24}\b(?:run|execute|start) (?:\w+ )?(?:programs?|code|commands?|scripts?) on (?:the|your|our) (?:server|host|backend|build machine)\b/,
    /(?:__proto__|\bconstructor\.prototype\b).{0,120}\b(?:writ\w+ (?:\w+ )?(?:to|into|on)|reach\w*|pollut\w*|modif\w+|chang\w+|overwrit\w+|alter\w*) (?:the )?(?:global (?:object )?prototype|object\.prototype|(?:all|every)(?: other)? objects?)\b/,
    /(?:__proto__|\bconstructor\.prototype\b).{0,80}\b(?:dangerous|pollut\w*)\b|\b(?:dangerous|pollut\w*)\b.{0,80}(?:__proto__|\bconstructor\.prototype\b)/,
    /\b(?:open(?:ed|ing)?|clon\w+|preview\w*|view(?:ed|ing)?|import\w*|click\w*|double-click\w*)\b.{0,120}\b(?:run|ran|runs|execut\w+|start(?:s|ed)?)\b.{0,60}\bwithout (?:ask\w*|confirm\w*|(?:any |a )?(?:warning|prompt|question)|my |me )/,
  ],
  "sandbox-left": [
    /\b(?:isolat\w+|sandbox\w*|jail\w*|restricted mode|safe mode|untrusted|guest vm)\b.{0,100}\b(?:was able to|is able to|able to|could|can|gets?|got|gives? access|reach\w*|manag\w+ to|escap\w+|breaks? out|leaves?)\b.{0,80}\b(?:host\b|home (?:dir\w*|folder)|outside|process\.env|file ?system|parent (?:realm|process)|environment variables|my files|secrets?|the machine|real disk)\b/,
    /\b(?:escap\w+|break\w*|broke|get\w*|got) (?:out of|from) (?:the |its |our |an? )?(?:\w+ )?(?:sandbox|jail|isolat\w+|chroot)\b|\bsandbox (?:escape|breakout)\b/,
    /\b(?:plug-?in|extension|script|add-?on|template|widget)s?\b.{0,60}\b(?:read|access|reach|open|see)\w{0,3}\b.{0,60}\b(?:although|even though|despite|should(?:n't| not| be isolated))\b/,
  ],
  "service-stopped": [
    /\b(?:one|single|an?) (?:\w+ ){0,2}(?:visitor|message|text|user|client|request|packet|comment|post|image|file|link|character|invite)\b.{0,40}\b(?:freez\w+|crash\w*|hangs?|bricks?|kills?|blocks?|takes? down|brings? down|disables?)\b.{0,50}\b(?:everyone|everybody|all (?:the )?(?:users|members|others|clients|participants)|whole|entire|the others|other (?:users|people|members))\b/,
    /\b(?:nobody|no one)(?: else)? (?:gets?|got|can get|is) (?:an? |any )?(?:answers?|responses?|served|through|reply)\b/,
    /\b(?:request|header|message|packet|input|string|term|query|url|upload|payload|visitor|person|body|search|characters?|client|cookie|file)\b.{0,160}\b(?:no other (?:requests?|users?|clients?)|(?:all |every |the )?other (?:requests?|clients?|users?|visitors?|connections?|customers?)|(?:for |to )(?:everyone|everybody|anyone|anybody|all users|all customers)|every (?:other )?(?:client|user|visitor)|whole (?:site|server|service)|entire (?:site|server|service))\b.{0,60}\b(?:wait\w*|block\w*|hang\w*|stop\w*|answer\w*|down|unavailable|unresponsive|offline|fro(?:zen|ze)|freez\w*|until|respon\w+|served|meanwhile)\b/,
    /\b(?:one|single|a) (?:visitor|person|user|client|request|message|packet|browser)\b.{0,40}\b(?:can|could|is enough to|makes?|may)\b.{0,40}\b(?:stop\w*|hang|freez\w*|block\w*|crash|kill|take|bring|not respond\w*|down|unavailable|unusable)\b/,
    /\b(?:stop\w*|block\w*|hang\w*|freez\w*)\b.{0,20}\b(?:all|any|every) other (?:requests?|users?|clients?|visitors?)\b|\bblocks? the event loop for \d/,
    /\b(?:texts?|strings?|values?|inputs?|numbers?|payloads?) (?:\w+ ){0,2}(?:from|in|of) (?:an? |the )?(?:query(?: string)?|requests?|urls?|headers?|cookies?|users?|body|clients?|form)\b.{0,40}\b(?:blocks?|stalls?|freez\w+|hangs?) (?:the |our |my )?(?:whole |entire )?(?:event loop|process|server|main thread)\b/,
  ],
  "credentials-shown": [
    /\b(?:api|secret|access|private|signing|admin)[- ]?(?:keys?|tokens?|passwords?|secrets?)\b.{0,40}\b(?:in|inside|within|from)(?: \w+){0,2} (?:page source|source of the page|html|bundle|client code|front-?end|apk|app package|javascript)\b/,
    /\b(?:passwords?|secret(?: key)?s?|api[- ]keys?|access tokens?|tokens?|credentials?|private keys?)\b.{0,80}\b(?:visible|shown|displayed|printed|readable|exposed|leak\w*|returned|sent|appear\w*|can read|can see|available)\b.{0,60}\b(?:to|for|by)? ?(?:all|every\w*|any\w*|other|visitors?|customers?|the public|guests?|the world|publicly)\b/,
    /\b(?:show|display|print|return|leak|expos|reveal|disclos|send|contain|includ)\w{0,4}\b.{0,60}\b(?:passwords?|secrets?|api[- ]keys?|tokens?|credentials?|private keys?|connection string|environment variables)\b.{0,80}\b(?:to (?:every|any|all|other|the public|each)\w*|of (?:other|all|any|every) (?:\w+ ){0,2}(?:users?|customers?|tenants?|accounts?)|publicly|without (?:login|auth\w*))/,
    /\b(?:in the name of|on behalf of|impersonat\w+|act as|pose as) (?:an?other|other|any|someone|somebody|all|those|them|different)\b/,
  ],
  "internal-address-reached": [
    /\bmakes? (?:the|your|our) (?:server|backend|service) (?:fetch|request|call|connect|load|download|open)\b|\b(?:fetch|request|load|preview|reach|call|connect)\w{0,4}\b.{0,60}\b(?:internal (?:services?|network|hosts?|address\w*|admin|urls?)|intranet)\b.{0,60}\b(?:server|answer|content|shown|response|displayed|returned)\w*/,
  ],
  "forgery-accepted": [
    /\b(?:any|every|an? (?:empty|blank|missing|wrong)|without an?) (?:\w+ )?(?:webhook|token|signature|licen[cs]e|certificate|jwt|cookie|checksum|mac)s?\b.{0,20}\b(?:is|are|gets?|will be|counts as) (?:then |simply |still )?(?:accepted|valid|trusted|verified)\b/,
    /\b(?:signature|token|hmac|certificate|licen[cs]e)(?: \w+)? (?:checks?|verification|validation)\b.{0,30}\b(?:passes|succeeds|accepts|returns true|is skipped)\b.{0,40}\b(?:empty|blank|missing|wrong|any|without|null)\b/,
    /\b(?:forg\w+|tampered|unsigned|modified|fake\w*|spoof\w+|manipulated|self-signed|expired) (?:\w+ ){0,2}(?:tokens?|cookies?|signatures?|requests?|headers?|jwts?|webhooks?|sessions?|certificates?|licen[cs]es?)\b.{0,40}\b(?:is|are|was|were|gets?|still) (?:still )?(?:accepted|valid|trusted|honou?red|work\w*)\b/,
    /\b(?:signatures?|certificates?|tokens?|origin)\b.{0,30}\b(?:is|are) (?:never|not) (?:checked|verified|validated)\b/,
  ],
};
