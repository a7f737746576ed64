import type { SignPatterns } from "./security-sign.ts";

/** Signs of a vulnerability in languages other than English. `\b` knows only ASCII letters, so most patterns do not use it. */
export const foreignLanguageSigns: SignPatterns = {
  "data-of-others": [
    /\b(?:ver|veo|vemos|ve|ven|leer|entr\p{L}{1,4}|acced\p{L}+|descarg\p{L}+|edit\p{L}+|borr\p{L}+|aparecen?|muestran?|obten\p{L}+|consult\p{L}+|abrir|modific\p{L}+)(?!\p{L}).{0,80}\b(?:de|a) (?:un |una )?otr[oa]s? (?:usuari|client|person|cuent|empresa|alumn|pacient)/u,
    /\b(?:ver|vejo|vemos|ler|entr\p{L}{1,4}|acess\p{L}+|baix\p{L}+|edit\p{L}+|apag\p{L}+|aparec\p{L}+|mostra\p{L}*|exib\p{L}+|visualiz\p{L}+|consult\p{L}+|abr\p{L}+)(?!\p{L}).{0,80}\b(?:d[eoa]s?|a) (?:um |uma )?(?:outr[oa]s? (?:usu|client|pesso|cont|empres|alun|pacient)|terceiros)/u,
    /\b(?:voir|vois|voit|lire|entr\p{L}{1,4}|acc[eè]d\p{L}+|accéd\p{L}+|t[ée]l[ée]charg\p{L}+|modifi\p{L}+|supprim\p{L}+|affich\p{L}+|consult\p{L}+|visibles?|ouvr\p{L}+)(?!\p{L}).{0,80}(?:d'autres|des autres|d'un autre|d'une autre|de l'autre|autre) (?:utilisat|client|personne|compte|soci[ée]t|membre)/u,
    /\bfremde[nrsm]? (?:daten|rechnung|konto|konten|nachricht|bestell|datei|profil|account|dokument|bild|foto|vertr|termin|kunden|postf)|(?:daten|rechnungen|nachrichten|bestellungen|dateien|profile?|dokumente|adressen?|bilder|fotos|konto|konten|e-?mails?) (?:anderer|eines anderen|einer anderen|von anderen|fremder) (?:nutzer|benutzer|kund|person|mandant|user|mitglied|firm)/u,
    /(?<!у )(?:друг(?:их|ого|ому)|чуж\p{L}{1,3}) (?:пользовател|клиент|люд|аккаунт|человек|данн|заказ|сообщен|профил|файл|сч[её]т|документ|письм|фото|пациент)/u,
    /(?:其他|其它|别的|另一个|任意)(?:用户|用戶|人|客户|会员|租户|账号|账户|顾客)的|(?:别人|他人|別人)的|(?:看到|查看|访问|读取|下载|删除|修改)(?:了|到)?(?:其他|其它|别的|任意)(?:用户|客户|租户|账号|会员)/u,
    /(?:他|別|ほか)の(?:ユーザー?|利用者|顧客|会員|人|お客様|アカウント|テナント|企業|方)の|(?:他人|他社|第三者)の(?:個人|情報|データ|注文|メッセージ|ファイル|アカウント|写真|住所|メール)/u,
    /(?:다른|타)\s?(?:사용자|사람|회원|고객|유저|이용자|계정|업체|학생|환자)(?:들)?의|타인의|남의 (?:정보|주문|계정|파일|메시지)/u,
    /\b(?:vedo|vedere|legg\p{L}+|acced\p{L}+|scaric\p{L}+)(?!\p{L}).{0,80}\bdi (?:un )?altr[oi] (?:utent|client|person)|\bgegevens van andere|\b(?:dane|faktury) innych/u,
  ],
  "files-of-the-machine": [
    /(?:cualquier|todos los) (?:archivo|fichero)s? del? (?:servidor|sistema|disco)|qualquer (?:arquivo|ficheiro)|n'importe quels? fichiers?|beliebige[rns]? datei|люб(?:ой|ые|ого|ых) файл|произвольн\p{L}+ файл|任意(?:文件|のファイル|檔案)|임의의? ?파일|qualsiasi file|dowolny plik|herhangi bir dosya/u,
    /(?:fuera|fora) d(?:el|a|e la|o) (?:carpeta|directorio|pasta|diret[óo]rio|ra[íi]z)|(?:hors|en dehors) du (?:dossier|r[ée]pertoire)|außerhalb des (?:\p{L}+)?(?:ordners|verzeichnisses)|вне (?:каталога|папки|корн)|за пределами (?:каталога|папки)|(?:目录|文件夹)(?:之外|以外|外)的?文件|(?:ディレクトリ|フォルダ)(?:の)?外|(?:디렉터리|폴더) (?:밖|외부)/u,
  ],
  "entry-without-login": [
    /\b(?:entr|acced|ver|inici|descarg|borr|abr|us)\p{L}*(?!\p{L}).{0,60}\bsin (?:la |una |ninguna? |tener )?(?:contraseña|autentic|iniciar sesi|permiso|clave|login|registr)/u,
    /\b(?:entr|acess|ver|v[êe]|log|baix|apag|abr|us|fa[zç])\p{L}*(?!\p{L}).{0,60}\bsem (?:a |uma |nenhuma |ter |estar |qualquer )?(?:senha|login|autentica|permiss|logad|palavra-passe)/u,
    /\b(?:conne|acc[eéè]d|voir|entr|t[ée]l[ée]charg|supprim|ouvr|utilis|lire)\p{L}*(?!\p{L}).{0,60}\bsans (?:aucun |être |le |se )?(?:mot de passe|connect|authentif|autorisation|identif|droit)/u,
    /\bohne (?:ein |jedes |das |g[üu]ltiges |sich )?(?:passwort|kennwort|anmeldung|login|authentif\p{L}+|berechtigung|anzumelden|angemeldet)(?!\p{L}).{0,60}(?:anmelden|einloggen|zugreifen|[öo]ffnen|sehen|einsehen|herunterladen|l[öo]schen|m[öo]glich|abruf|erreich|lesen|hinein)|(?:zugreif|einsehbar|abrufbar|[öo]ffnen|sichtbar|eingeloggt|angemeldet|anmelden).{0,60}\bohne (?:ein |jedes |das |sich )?(?:passwort|kennwort|anmeldung|login|authentif|berechtigung|anzumelden)/u,
    /(?:войти|вход|зайти|доступ|открыть|скачать|удалить|попасть|видн|получить|посмотреть).{0,60}без (?:ввода )?(?:парол|авториз|аутентиф|входа|логин|прав|регистрац)|без (?:ввода )?(?:парол|авториз|аутентиф|входа|логин)\p{L}*.{0,60}(?:войти|зайти|доступ|открыть|скачать|удалить|попасть|можно)/u,
    /(?:不用|无需|不需要|未|免|绕过|跳过|没有|不输入)(?:输入)?(?:密码|登录|登陆|认证|授权|身份验证|鉴权).{0,20}(?:也能|就能|也可以|就可以|即可|直接|可以|都能|能够)|密码.{0,6}(?:留空|为空|随便|错误|任意|不填).{0,20}(?:登录|登陆|进入|进去)/u,
    /(?:パスワード|認証|ログイン)(?:なし|無し|を?せず|しなくても|を入力せず|不要|していなくても|していない状態).{0,30}(?:ログイン|アクセス|入れ|閲覧|見え|見られ|表示|でき|削除)/u,
    /(?:비밀번호|암호|로그인|인증|권한)(?:를|을)?\s?(?:없이|안 ?해도|하지 않고|하지 않아도|입력하지 않아도|틀려도).{0,40}(?:로그인|접속|접근|들어|볼|보입|열|조회|다운|삭제|가능)/u,
    /\bzonder (?:wachtwoord|in te loggen).{0,60}|\bsenza (?:password|autenticazione|effettuare).{0,60}|\bbez (?:hasła|logowania|hesla).{0,60}/u,
  ],
  "rights-gained": [
    /(?:convertirse|hacerse|volverse) (?:en )?administrador|virar administrador|tornar-se administrador|devenir administrateur|(?:zum|als) administrator (?:machen|werden|angemeldet)|стать администратор|права администратора.{0,30}(?:получ|без)|(?:变成|成为|提升为|获得)管理员|管理者(?:権限を(?:取得|奪)|になれ|になる)|관리자 ?(?:권한을? ?(?:얻|획득)|가 될)/u,
  ],
  "code-run": [
    /(?:ex[ée]cution|ejecuci[óo]n|execu[çc][ãa]o|esecuzione) (?:de|di) (?:code|c[óo]digo|codice|comman?des?|comandos?|comandi) (?:[àa] dist|arbitr|distant|remot|via |par |por )/u,
    /ejecutar (?:c[óo]digo|comandos|cualquier)|executar (?:c[óo]digo|comandos|qualquer)|ex[ée]cuter (?:du code|des commandes|n'importe)|(?:beliebigen|fremden|eigenen) (?:code|befehl)|(?:выполнить|выполнени\p{L}|запустить) (?:произвольн|люб|сво\p{L}|чуж)|执行(?:任意|命令|恶意)|(?:任意|悪意)の?(?:ある)?(?:コード|コマンド|スクリプト)|임의(?:의)? ?(?:코드|명령)|eseguire (?:codice|comandi)/u,
    /(?:<script|script|javascript|код|скрипт|脚本|スクリプト|스크립트).{0,60}(?:se ejecuta|[ée] executado|est ex[ée]cut[ée]|wird.{0,40}ausgef[üu]hrt|выполня|被执行|会执行|実行され|실행)/u,
  ],
  "service-stopped": [
    /(?:servidor|serveur|server|сервер|сервис|服务器|服务|サーバー?|서버).{0,60}(?:para todos|pour tou[st]|f[üu]r alle|для всех|所有(?:人|用户)|全員|全ての|모든 사용자)/u,
  ],
  "credentials-shown": [
    /(?:contraseñas?|senhas?|mots? de passe|passw[öo]rter?|zugangsdaten|парол[ьия]|密码|密钥|パスワード|비밀번호).{0,60}(?:(?:visibles?|vis[íi]ve(?:l|is)|expuest|expost|expos[ée]|sichtbar|lesbar|видн|виден|доступн|泄露|泄漏|可见|漏[え洩]|見え|丸見え|노출|유출))/u,
  ],
};
