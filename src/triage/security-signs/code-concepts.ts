import { type ConceptPatterns, concept } from "./concept.ts";

/** Concepts about code that ran, and its origin. */
export const codeConcepts = {
  /** Text that other people write and that others see. */
  "written-by-others": concept(
    "comments?|links?|posts?|display name|nick(?:name)?s?|user ?names?|bio|profile|message|title|html|img tag|tag|svg|markdown|onerror|file ?names?|branch(?: name)?s?|semicolon|backticks?|log line|subject|quotes?",
    "kommentar|commentaire|comentario|coment[áa]rio|commento|комментар|评论|コメント|댓글|昵称|ニックネーム|닉네임|etiqueta|balise|тег|标签|タグ|태그",
  ),
  /** Markup from another person ran as a program. */
  "markup-ran": concept(
    "(?:javascript|js code|html code|<script>?\\S*|script element)(?: \\S+){0,6} (?:executed|is run|runs|will be run|be run|executes?)|(?:run|runs|ran|execut\\w+) (?:\\w+ ){0,2}(?:javascript|js code|my html)|typing javascript",
    "(?:javascript|js)[^.。]{0,30}(?:ausgeführt|exécut|ejecut|execut|esegu|выполня|执行|実行|실행)",
  ),
  "script-ran": concept(
    "pops? up|my (?:message )?box|(?:gets?|sees?) (?:my|the|a) (?:message )?box|alert box|(?:script|javascript|js|code|command|program|task)s? (?:\\w+ ){0,4}(?:runs?|ran|is run|was run|executed|executes|started|is executed)|(?:runs?|ran|execut\\w+|started?|starts|typed) (?:\\w+ ){0,3}(?:scripts?|programs?|commands?|code)",
    "(?:skript|script|code|befehl)\\p{L}*.{0,30}(?:ausgeführt|läuft)|ex[ée]cut.{0,24}(?:script|code|commande)|(?:script|code|commande)\\p{L}*.{0,30}ex[ée]cut|ejecuta.{0,24}(?:script|c[óo]digo|comando)|(?:script|c[óo]digo|comando).{0,30}(?:ejecut|roda|execut)|(?:esegu).{0,24}(?:script|codice|comand)|(?:script|codice|comando).{0,30}esegu|(?:скрипт|код|команд)\\p{L}*.{0,30}выполня|выполня\\p{L}+.{0,24}(?:скрипт|код|команд)|(?:脚本|代码|命令).{0,12}(?:执行|运行)|执行.{0,8}(?:脚本|代码|命令)|(?:スクリプト|コード|コマンド).{0,12}実行|(?:스크립트|코드|명령).{0,12}실행",
  ),
  "seen-by-all": concept(
    "everybody who|everyone who|any user who|users? who|all clients|guest ?book|every reader|everybody|everyone|all who|each visitor|every visitor|other (?:users|visitors|people)|whoever|each (?:reader|viewer|user)|which i did not|without (?:a |any )?(?:question|asking|prompt|confirm\\w*|warning)|at my prompt|into my shell|in the working directory",
    "(?:aller|allen|anderer?|anderen) (?:nutzer|besucher|leser)?|ohne (?:nachfrage|frage|rückfrage)|(?:chez )?(?:tous|tout le monde|les autres)|sans (?:demander|confirmation)|(?:a )?todos|los demás|sin preguntar|todo mundo|de quem l[êe]|sem perguntar|tutti|gli altri|senza chiedere|всех|других|без вопрос|所有人|其他人|别人|全員|他の人|他のユーザー|모두|다른 사람",
  ),
} satisfies Record<string, ConceptPatterns>;
