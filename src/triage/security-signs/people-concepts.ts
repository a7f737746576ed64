import { type ConceptPatterns, concept, person } from "./concept.ts";

const someoneElse = `(?:(?:an?)?other|different|foreign|unrelated|random) (?:\\w+ )?(?:${person})|others|someone|somebody|strangers?|whoever|(?:my|an?) (?:\\w+ )?(?:ex|boss|colleague|neighbou?r|friend)|the (?:one|person|user|visitor|customer) before(?: me)?|(?:earlier|previous) (?:${person})|people (?:whom? |that )?(?:i|we) (?:do not|don't|never|have never)|third part(?:y|ies)`;
const thing =
  "items?|orders?|e-?mails?|mails?|mailbox(?:es)?|inbox(?:es)?|accounts?|carts?|baskets?|bills?|drafts?|invoices?|projects?|reports?|pages?|messages?|chats?|data|files?|documents?|photos?|pictures?|images?|address(?:es)?|phone numbers?|birthdays?|names?|records?|contracts?|letters?|tickets?|notes?|sessions?|profiles?|dashboards?|settings|bookings?|appointments?|calendars?|transcripts?|locations?|tokens?|keys|details|statements?|salar(?:y|ies)|grades?|scores?|recordings?|repositor(?:y|ies)|uploads?|payments?|cards?|lists?|histor(?:y|ies)|statistics|backups?|answers?|votes?|devices?|cameras?|results?|content|everything|screenshots?|subscriptions?|comments?|posts?";

/** Concepts about the owner of data and the access of people. */
export const peopleConcepts = {
  /** A person other than the reporter. */
  "another-person": concept(
    `${someoneElse}|not mine|never been in|other (?:items?|issues?|records?|orders?|tickets?|projects?|documents?|reports?|ids?)|(?:view|see|open|read|access) anything|do(?:es)? not belong to me|isn't mine|whatever is there|all the other(?:s| files)`,
    "(?:ein(?:es|er|em|en)?|d(?:er|en|ie)|von|fremde[rnsm]?) anderen? (?:kund|nutz|benutz|person|mandant|mitglied|firm)|anderer (?:kund|nutz|benutz|leute|mitglied)|fremde[rnsm]? |d'(?:un |une )?autres? (?:client|utilis|person|compt|membr)|des autres|d'autrui|de otr[oa]s? |ajen[oa]s?|d[eo]s? outr[oa]s? |alhei[oa]s?|di altr[ie] |di un altro|altrui|(?:чуж|други[хе] (?:клиент|пользоват|люд))|(?:别人|他人|其他人|其他用户|别的用户|他のユーザー|他の人|ほかの人|다른 ?(?:사람|사용자|고객|회원)|타인)",
  ),
  /** One phrase names a thing that belongs to another person. */
  "thing-of-another": concept(
    [
      `(?:hidden|private|anonymous|unpublished) (?:${person}|channels?|projects?|posts?|repos\\w*|participants)\\b(?! (?:is|are|was|were) not)`,
      "names of hidden",
      `what (?:earlier|other|previous) (?:${person}) \\w+`,
      `(?:see|view|open|read|access|edit|delete|download|change)s? (?:all )?(?:the )?(?:other|another|different) (?:${person})(?:'s?)? \\w+`,
      `(?:${thing})(?: and (?:${thing}))?(?: \\w+){0,3} (?:of|from|by|belong(?:s|ing)? to) (?:an? |the |all |my |some |every |any |completely |totally |my |those |these |one |many ){0,3}(?:${someoneElse})`,
      "(?:someone|somebody)(?: else)?'s(?: \\w+){1,3}",
      `(?:(?:an)?other|different) (?:${person})(?:'s?)? (?:\\w+ ){0,2}(?:${thing})`,
      `others' (?:\\w+ ){0,2}(?:${thing})`,
      `(?:the |a )?(?:strangers?|neighbou?rs?|colleagues?|customers)'s? (?:\\w+ ){0,2}(?:${thing})`,
      `(?:item|order|page|file|document|report|${thing}) (?:that |which )?belongs? to (?:an? )?(?:\\w+ ){0,2}(?:${person}|someone|somebody)`,
      "see (?:their|his|her) (?:\\w+ ){0,2}(?:orders?|address(?:es)?|invoices?|messages?|mails?|data|account|profile|documents?)",
    ],
    "(?:bestell|rechnung|daten|nachricht|datei|konto|konten|adress|beitr[aä]g|profil|termin|dokument|bild|projekt|akte|befund)\\p{L}* (?:ein(?:es|er) |von )?(?:anderer|anderen|fremder)|(?:factures?|commandes?|donn[ée]es|messages?|fichiers?|comptes?|profils?|projets?|documents?|dossiers?|photos?) (?:d'(?:un |une )?autres?|des autres|d'autrui)|(?:pedidos?|facturas?|datos|mensajes?|archivos?|ficheros?|cuentas?|perfil(?:es)?|proyectos?|fotos?|documentos?)(?: \\p{L}+)? (?:de (?:un |una )?otr[oa]s?|ajen[oa]s?)|(?:notas? fiscais|nota fiscal|pedidos?|dados|mensagens?|arquivos?|contas?|perfi[sl]|projetos?|fotos?|documentos?|faturas?)(?: \\p{L}+)? (?:d[eo]s? (?:um |uma )?outr[oa]s?|alhei[oa]s?)|(?:ordini|fatture|dati|messaggi|file|account|profili|progetti|foto|documenti)(?: \\p{L}+)? (?:di (?:un )?altr[io]|altrui)|(?:заказ|сч[её]т|данн|сообщен|файл|аккаунт|профил|проект|документ|письм)\\p{L}* (?:других|чуж)|(?:увидеть|видеть|видно|вижу|смотреть|открыть|читать|скачать|удалить|изменить).{0,40}чуж\\p{L}{1,3}|чуж\\p{L}{1,3} (?:заказ|сч[её]т|данн|сообщен|файл|аккаунт|профил|проект|документ|письм|клиент)|(?:别人|他人|其他人|其他用户|别的用户|别的客户)的?(?:订单|数据|资料|信息|消息|文件|账号|项目|照片|评论|账单|发票)|(?:他人|他の人|他のユーザー|ほかの人|他の会員)の(?:注文|データ|情報|メッセージ|ファイル|アカウント|プロジェクト|写真|コメント|請求|投稿)|(?:다른 ?(?:사람|사용자|고객|회원)들?|타인)의 ?(?:주문|데이터|정보|메시지|파일|계정|프로젝트|사진|댓글|청구|글)",
  ),
  /** The reporter reached the thing. */
  reaching: concept(
    "(?<!not )(?<!n't )(?:see(?:s|n)?|saw|suggests|comes? up|views?|delete|remove|edit|access|shows?|shown|showed|opens?|opened|reads?|gets?|got|receiv\\w+|download(?:s|ed)?|visible|appear(?:s|ed)?|returns?|returned|lists?|listed|has the|had the|in there|is there|are there|greeted|ended up|am in|i'm in|was in|were in|look through|find|found|in my)",
    "seh(?:e|en)|sieht|sichtbar|lesen|lese|angezeigt|erscheint|lösch|änder|\\b(?:je|on) (?:vois|voit|peux|peut)|\\bvoir\\b|affich|supprim|modifi|\\b(?:puedo|puede|veo|ver|aparece|muestra|borrar|editar|eliminar)\\b|\\b(?:consigo|consegue|vejo|ver|aparece|mostra|excluir|apagar|editar)\\b|\\b(?:vedo|vede|vedere|mostra|appare|cancellare|modificare)\\b|виж|видн|увид|смотр|читат|скача|видит|показыва|открыва|удалить|изменить|看到|看见|查看|显示|删除|修改|访问|見え|見られ|表示|閲覧|削除|編集|보이|보입|볼 수|보여|나옵|삭제|수정|조회",
  ),
  /** The number, name or address in a request was replaced by another. */
  "request-altered": concept(
    "(?:chang\\w*|modif\\w+|replac\\w+|increment\\w*|increas\\w+|decreas\\w+|lower\\w*|edit(?:ed|ing)?|guess\\w*|swap\\w*|put(?:ting)?|typ(?:ed|ing|e)|took|take|us(?:e|ed|ing)|tr(?:y|ied|ying)|count\\w* up)\\b.{0,40}\\b(?:ids?|numbers?|digits?|names?|names? in it|user_?id|slug|uuid|cookie|parameter|token of an?other)\\b|\\b(?:with|at) (?:the|a) (?:number|id) (?:before|after|next|one|of)|(?:number|id) (?:before|after|next to) mine|one (?:lower|higher|less|more|up|down)|ends in a number|different one in|chang(?:e|ed|es|ing) (?:\\S+ ){0,3}(?:ids?|numbers?|url|address|link)|role=\\w+ to role=",
    "(?:nummer|kennung|id|zahl)\\b.{0,40}(?:änder|ander|verringer|erhöh|ersetz|tausch)|(?:änder|verringer|erhöh|ersetz|tausch|hochz)\\p{L}*.{0,40}(?:nummer|kennung|\\bid\\b|adresse|url)|über die nummer|(?:chang|modifi|remplac)\\p{L}*.{0,30}(?:num[ée]ro|identifiant|\\bid\\b|adresse|url)|(?:cambi|modific|pong|reempla)\\p{L}*.{0,30}(?:n[úu]mero|\\bid\\b|identificador|url|direcci)|(?:troc|mud|alter|modific)\\p{L}*.{0,30}(?:n[úu]mero|\\bid\\b|endereço|url)|(?:cambi|modific|mett)\\p{L}*.{0,30}(?:numero|\\bid\\b|indirizzo|url)|(?:помен|измен|подстав|замен|постав)\\p{L}*.{0,30}(?:номер|\\bid\\b|числ|адрес|идентиф)|(?:修改|更改|改|换|把).{0,12}(?:编号|数字|id|号码|网址|参数)|(?:番号|数字|id|url)を?(?:変え|変更|書き換え|入れ替え)|(?:번호|숫자|id|주소)[를을]? ?(?:바꾸|변경|수정)",
  ),
  /** A person who was removed or blocked still has access. */
  "kept-access": concept(
    `(?:removed|deleted|kicked|banned|former|blocked|expelled|dismissed|expired|suspended) (?:\\w+ )?(?:${person})\\b.{0,60}\\b(?:can (?:still )?(?:see|write|read|send|modify|edit|open|access|log|join)|still (?:receiv\\w+|gets?|sees?|reads?|has access|have access|logs?))|(?:ex|boss|colleagues?|neighbou?rs?|strangers?|friend) can still (?:see|read|open|use|access|log|enter|edit|download)`,
    "(?:entfernte|gelöschte|gesperrte|ehemalige)\\p{L}* (?:nutzer|benutzer|mitglied|mitarbeiter)\\p{L}*.{0,60}(?:immer noch|weiterhin|noch)|(?:supprimé|exclu|banni|ancien)\\p{L}*.{0,60}(?:toujours acc|peut encore|peut toujours)|(?:eliminado|expulsado|bloqueado|antiguo).{0,60}(?:todav[íi]a puede|sigue (?:viendo|teniendo|pudiendo))|(?:removido|exclu[íi]do|bloqueado|ex-).{0,60}(?:ainda (?:consegue|pode|tem|v[êe]))|(?:rimosso|eliminato|bloccato).{0,60}(?:può ancora|ancora acc)|(?:удал[её]нн|заблокирован|уволенн|бывш)\\p{L}*.{0,60}(?:вс[её] ещ[её]|по-прежнему)|(?:已?被?(?:删除|移除|踢出|禁用)的?(?:用户|成员|账号)).{0,20}(?:仍然|还能|依然)|(?:削除|退会|追放)(?:された|した)(?:ユーザー|メンバー).{0,20}(?:まだ|引き続き)|(?:삭제|탈퇴|추방)(?:된|한) (?:사용자|회원|멤버).{0,20}(?:여전히|아직|계속)",
  ),
  /** Anybody has access. */
  "anybody-can": concept(
    "(?:anyone|anybody)(?: who| on| with| in| that| knowing)? (?:\\w+ ){0,5}(?:can|could|may|is able to) (?:\\w+ )?(?:look|read|see|open|download|switch|list|delete|edit|change|control|view|access|fetch|buy|post)|(?:to|by|for) the whole internet|public(?:ly)? (?:folder|bucket|listing|readable|listed)",
    "jeder (?:\\p{L}+ )?kann (?:\\p{L}+ )?(?:lesen|sehen|löschen|ändern|öffnen)|n'importe qui peut|cualquiera puede (?:ver|leer|borrar|entrar|cambiar)|qualquer (?:um|pessoa) (?:pode|consegue) (?:ver|ler|apagar|entrar|excluir)|chiunque può|(?:любой|кто угодно) может|(?:任何人|谁)都(?:可以|能)(?:看|查看|访问|删除|修改|下载)|誰でも(?:閲覧|見|アクセス|削除|変更)|누구나 (?:볼|접근|삭제|수정)",
  ),
} satisfies Record<string, ConceptPatterns>;
