import { type ConceptPatterns, concept } from "./concept.ts";

/** Concepts about actions without the necessary rights. */
export const rightsConcepts = {
  /** A person with few rights. */
  "low-rights": concept(
    "(?:read-?only|ordinary|normal|plain|simple|regular|non-?admin|unprivileged|limited|standard|restricted) (?:\\w+ )?(?:users?|members?|accounts?|authors?|one|roles?|employees?)|as a (?:plain |mere |normal )?(?:guest|viewer|reader|member|author|reporter)|(?:viewers?|readers?|guests?|child(?:'s| account)?|my visitor|visitors?|anonymous users?|employees?) (?:can|may|is able|are able|could)|(?:i am|i'm|am) (?:only )?a (?:reader|guest|viewer)|that i can only read|guest invitation|child(?:'s own)? (?:cookie|account)|(?:account|role) is an ordinary one|not logged in,",
    "(?:normale[rnsm]?|einfache[rnsm]?|gewöhnliche[rnsm]?) (?:nutzer|benutzer|mitglied)|simple (?:membre|utilisateur)|utilisateur (?:normal|ordinaire|simple)|usuario (?:normal|corriente|com[úu]n|b[áa]sico)|usu[áa]rio (?:comum|normal)|utente (?:normale|comune|semplice)|(?:обычн|рядов)\\p{L}{1,3} (?:пользоват|участник)|普通(?:用户|会员|成员|账号)|一般(?:ユーザー|利用者|会員)|일반 ?(?:사용자|회원|유저)",
  ),
  /** An action that needs rights succeeded. */
  "privileged-deed": concept(
    "(?:can|could|may|able to|succeed\\w*|goes through|answers 20\\d|works|works too|is accepted|is saved|are on main|i get|i type|i see|go through)\\b.{0,80}\\b(?:delet\\w*|remov\\w*|renam\\w*|edit\\w*|chang\\w*|approv\\w*|push\\w*|publish\\w*|download\\w*|creat\\w*|ban|invite|buy|unpublished|drafts?|saved|all the|whole)|(?:delet\\w*|remov\\w*|renam\\w*|edit\\w*|chang\\w*|approv\\w*|push\\w*|publish\\w*|patch|put|post|cookie)\\b.{0,80}\\b(?:works|succeed\\w*|goes through|answers 20\\d|is accepted|is saved|saved|are on main)",
    "(?:kann|können|darf).{0,40}(?:lösch|änder|entfern|bearbeit|freigeb)|aufruf .{0,30}geht .{0,10}durch|(?:peut|peuvent).{0,30}(?:supprim|modifi|effac|cré|publi)|(?:puede|pueden).{0,30}(?:borrar|eliminar|editar|cambiar|modificar)|(?:consegue|pode).{0,30}(?:excluir|apagar|editar|mudar|alterar)|(?:pu[òo]|possono).{0,30}(?:cancell|elimin|modific)|(?:может|могут).{0,30}(?:удал|измен|редактир|создать)|(?:可以|能|能够).{0,10}(?:删除|修改|编辑|创建|审批)|可以(?:看到|查看|访问)(?:所有|全部|其他)|(?:削除|編集|変更|作成|承認)でき|(?:삭제|수정|변경|편집|승인)할 수 있",
  ),
  /** The report says explicitly that a check is missing. */
  "check-missing": concept(
    "(?:permissions?|rights|roles?|owner(?:ship)?|access|membership|authori[sz]ation)\\b.{0,24}\\b(?:is|are|was|were|being) (?:not|never) (?:\\w+ )?(?:checked|verified|enforced|validated)|(?:does not|doesn't|do not|don't|never|forgets to|without) (?:check\\w*|verify\\w*|enforc\\w*|validat\\w*)\\b.{0,30}\\b(?:permissions?|rights|roles?|owner(?:ship)?|access|signatures?|who|membership|whether the user|token)|(?:button|menu|link|option|entry|field)s? (?:is|are) (?:only )?(?:hidden|missing|greyed|disabled|gone)\\b.{0,60}\\b(?:but|yet|still|only)\\b.{0,60}\\b(?:works?|answers?|request|api|call|address|patch|post|put|delete)|hidden for them, but|by typing the address|without the parents' approval",
    "(?:rechte|berechtigung\\p{L}*).{0,30}(?:nicht|nie|ohne).{0,20}(?:geprüft|überprüft)|ohne dass die rechte|pr[üu]ft .{0,24}(?:rechte|berechtigung\\p{L}*) nicht|ne v[ée]rifie (?:pas|jamais).{0,24}(?:droits?|permission|autoris)|(?:droits?|permissions?).{0,20}(?:pas|jamais) v[ée]rifi|no (?:comprueba|verifica|valida).{0,24}(?:permisos?|rol|derechos)|n[ãa]o (?:verifica|checa|valida).{0,24}(?:permiss|papel|direito)|non (?:controlla|verifica).{0,24}(?:permess|diritti|ruol)|не провер\\p{L}+.{0,24}(?:прав|доступ|роль|разрешен)|(?:没有|未|不)(?:检查|校验|验证|判断).{0,6}(?:权限|身份|角色)|権限(?:が|を)?(?:チェック|確認|検証)(?:され|し)て(?:い)?(?:ない|ません)|권한(?:을|이)? ?(?:확인|검사|체크)(?:하|되)지 않",
  ),
  /** A signature or token that is not checked. */
  "signature-ignored": concept(
    "(?:any|wrong|no|empty|missing|random|nonsense|forged|invalid) signatures?|left the signature out|without (?:a |the )?signature|signature (?:is )?(?:ignored|not needed)",
    "(?:ohne|falsche) signatur|sans signature|sin firma|sem assinatura|senza firma|без подписи|(?:没有|任意|错误)(?:的)?签名|署名(?:なし|なく|が?間違)|서명 ?(?:없이|이 틀려)",
  ),
} satisfies Record<string, ConceptPatterns>;
