import { type ConceptPatterns, concept } from "./concept.ts";

/** Concepts about a service that stopped, and the cause. */
export const serviceConcepts = {
  /** A request that any stranger may send, and that is a single one or malformed. */
  "hostile-request": concept(
    "(?:one|single|1|just one) (?:\\S+[ -]){0,4}(?:requests?|post|get|put|calls?|packets?|messages?|header|escape|frame)|(?:odd|bad|malformed|strange|broken|weird|oversized|deeply nested)(?: \\S+){0,2} (?:requests?|headers?|hosts?|cookies?|user-?\\s?ag\\w+|escapes?|packets?|quer(?:y|ies)|websocket|frames?|urls?|payloads?)|(?:long|huge|invalid|empty|missing|wrong)(?: \\S+){0,2} (?:requests?|headers?|user-?\\s?ag\\w+|cookies?|packets?|query strings?)|headers? (?:is|was|of) (?:odd|bad|malformed|invalid|wrong|missing|empty|long|\\d)|(?:by|with|on) an? (?:malformed|invalid) request",
    "(?:eine?r? (?:einzig\\p{L}+ )?(?:anfrage|aufruf|nachricht))|einziger aufruf|(?:une|seule) (?:seule )?requ[êe]te|(?:una )?sola petici[óo]n|una (?:petici[óo]n|solicitud)|uma (?:[úu]nica )?(?:requisi[çc][ãa]o|chamada)|[úu]nica requisi|una (?:sola )?(?:richiesta|chiamata)|sola richiesta|один (?:единственн\\p{L}+ )?запрос|одним запросом|一个(?:请求|数据包|消息)|单个请求|一次请求|(?:1回|一回|1つ|一つ|ひとつ)の(?:リクエスト|要求|メッセージ)|(?:요청|메시지) ?(?:하나|한 번|한번)",
  ),
  /** Input from outside, without further description. */
  "outside-input": concept(
    "requests?|posts?|calls?|packets?|headers?|user-?\\s?ag\\w+|payloads?|brackets|zip of|archive of|user ?names?|avatars?|uploads?|messages?|\\d+ ?kb",
    "anfrage|aufruf|requ[êe]te|petici[óo]n|requisi[çc][ãa]o|richiesta|запрос|请求|リクエスト|요청",
  ),
  /** A service that others use stops. */
  "service-down": concept(
    "(?:server|site|service|api|process|worker|backend|daemon|website)(?: \\w+){0,3} (?:exits|exit(?:ed)?|dies|died|crash(?:es|ed)?|goes down|went down|down|is gone|hangs?|hung|stops|stopped|freez\\w+|unresponsive|is dead|killed|falls over|runs for minutes)|(?:kills?|crash(?:es|ed)?|takes?|took|hangs?|brings?|brought|stops?|freez\\w+|blocks?|knocks?)(?: \\w+){0,3} (?:server|site|service|api|process|worker|backend|daemon|website)|the worker is gone|(?:no page|nothing) (?:loads|answers)|answers nothing|segfault|crash the \\w+ parser|(?:stops?|blocks?|prevents?|breaks) (?:\\w+ ){1,3}(?:for|of) (?:all|everyone|everybody)|runs? for (?:\\d+ )?(?:minutes|hours)|fills the disk|everything (?:on the host )?stopp?ed|at 100 ?%|\\d+ ?gb",
    "(?:legt|reißt|bringt).{0,40}(?:server|dienst|seite).{0,20}(?:lahm|runter|zum absturz|zu fall)|(?:server|dienst)\\p{L}*.{0,30}(?:abst[üu]rz|stürzt|hängt|steht still|antwortet .{0,12}(?:niemand|nicht mehr))|(?:plant|tomb|bloqu|arrêt|fig)\\p{L}*.{0,20}(?:serveur|service|site)|(?:serveur|site).{0,30}(?:plant|tomb|bloqu|arrêt)|(?:cae|tumba|bloquea|cuelga|detiene).{0,24}(?:servidor|servicio|sitio)|servidor.{0,20}(?:se cae|cuelga|deja de)|(?:derruba|trava|para|cai).{0,24}(?:servidor|servi[çc]o|site)|servidor.{0,20}(?:cai|trava|para\\b)|(?:blocca|ferma|manda gi[uù]|crash\\p{L}*).{0,24}(?:server|servizio|sito)|server.{0,20}(?:si blocca|cade|va gi[uù])|(?:роня|кладет|кладёт|вешает|убивает|останавлив).{0,24}(?:сервер|сервис|сайт)|(?:сервер|сервис|сайт).{0,24}(?:падает|зависает|ложится)|(?:服务器|服务|网站|系统).{0,8}(?:挂|崩溃|宕机|瘫痪|卡死|停止)|(?:サーバー?|サービス)(?:全体)?(?:が|は).{0,8}(?:落ち|止ま|停止|ダウン|固ま|応答し)|(?:서버|서비스|사이트)(?: ?전체)?[가이는]? ?(?:멈|죽|다운|중단|먹통)",
  ),
  everybody: concept(
    "everybody|everyone|all (?:the )?(?:others?|other \\w+|users|customers|clients|visitors)|no other|nobody|no one|other (?:requests|clients|users|customers|visitors|sites)|anyone else|for all|(?:whole|entire) (?:server|site|process|service|api|host|system)|until (?:\\w+ ){0,4}(?:restart\\w*|reboot\\w*)",
    "niemand|allen?\\b|ganze[nrs]?|alle anderen|personne|tout le|tous|nadie|todo|todos|ningu[ée]m|inteiro|todos|tutto|nessuno|tutti|весь|никто|всех|всем|整个|所有人|全部|全体|誰も|全員|전체|아무도|모두",
  ),
} satisfies Record<string, ConceptPatterns>;
