import { type ConceptPatterns, concept } from "./concept.ts";

/** Concepts about the files that were read or written. */
export const fileConcepts = {
  /** Any existing file, not only the intended ones. */
  "any-file": concept(
    "any (?:\\w+ ){0,2}(?:files?|director(?:y|ies)|folders?)\\b.{0,40}\\b(?:on|of|from|outside|above) (?:the |any |my |our |of )?(?:\\w+ )?(?:server|system|disk|machine|web|host|root|\\W)|any (?:\\w+ )?files? (?:\\w+ )?can be (?:displayed|read|opened|downloaded|fetched|accessed|deleted|overwritten)|shows any files? content",
    "beliebige[rns]? dateien? (?:lesen|abruf|öffnen)|lire n'importe quel fichier|leer cualquier (?:archivo|fichero)|ler qualquer (?:arquivo|ficheiro)|leggere qualsiasi file|(?:прочитать|читать|скачать) любой файл|(?:读取|下载|访问)任意文件|任意のファイルを(?:読|ダウンロード|閲覧)|임의의? ?파일을? ?(?:읽|다운로드|볼)",
  ),
  /** A file is unpacked, uploaded or served by its name. */
  "file-by-name": concept(
    "archives?|zips?|tars?|tarballs?|packages?|unpack\\w*|extract\\w*|entr(?:y|ies)|uploads?|uploaded|file ?names?|asset\\w*|writeasset\\S*|static|served?|serves|download|template|plugin|include|path",
    "archiv|entpack|dateiname|datei|nom(?: du fichier)?|fichier|archivo|fichero|nombre|arquivo|nome|file|архив|файл|имен|解压|文件名|压缩|展開|ファイル|名前|압축|파일|이름",
  ),
  "outside-folder": concept(
    "(?:outside|out of|above|beyond)(?: of)? (?:the |its |my |that |our )?(?:\\w+ ){0,2}(?:folders?|director(?:y|ies)|root|target|destination|jail|base)|above (?:its|the) (?:folder|directory|public\\w*)|(?:two dots|dot dot|\\.\\.[/\\\\])|in(?:to)? my home(?: directory| folder)?|~/\\.\\w+",
    "außerhalb|weiter oben|\\.\\.[/\\\\]|en dehors|hors du|fuera de|fora d[ao]|fuori (?:dalla|dal|dalle)|за предел|вне (?:папк|каталог)|(?:目录|文件夹|路径)(?:之外|以外|外面|外)|(?:フォルダ|ディレクトリ)の?外|(?:폴더|디렉터리) ?(?:밖|바깥|외부)",
  ),
  "file-touched": concept(
    "overwr\\w+|replaced|written|wrote|writes?|put a file|there was a new|created|prints?|reads?|serves|opens|had the key|read my|accepted|got the",
    "überschr|geschrieb|landet|écri[tv]|écrase|écrasé|sobrescri|escrib|escrito|sobrescreve|gravad|escreve|scritto|sovrascri|scrive|перезапис|записыва|覆盖|写(?:到|入)|上書き|書き込|덮어|써(?:집|지)|쓰(?:여|입)",
  ),
} satisfies Record<string, ConceptPatterns>;
