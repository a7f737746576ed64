import * as fc from "fast-check";

/** Pieces that Markdown, GitHub, a terminal or a CI log acts on, and pieces of lines and lists around them. */
const PIECES = [
  ..."@everyone,@reporter,@org/team,\uff20everyone,\ufe6beveryone,#1,\uff031,other/repo#2,user#6,GH-3,fixes ,closes: ,Duplicate of #4,resolves\n".split(
    ",",
  ),
  ..."https://evil.test/x,http://,www.evil.test,a@evil.test,mailto:a@evil.test,javascript:alert(1),xmpp:a@b.c,owner/repo@0123456789abcdef".split(
    ",",
  ),
  ..."0123456789abcdef0123456789abcdef01234567,deadbeef,GHSA-aaaa-bbbb-cccc,https://github.com/octo/widgets/issues/1".split(
    ",",
  ),
  "[text](https://evil.test)",
  "![alt](https://evil.test/i.png)",
  "[ref]",
  "[ref]: https://evil.test 'title'",
  "[^1]",
  "[^1]: ",
  "[x](",
  "[x] ",
  "[ ] ",
  "- [x] approved\n",
  "1. [X] approved\n",
  "approved [x]",
  "> [!NOTE]\n> ",
  ..."<details>,</details>,<summary>,<script>,<!--,-->,<img src=x>,<https://evil.test>,<b>,</p>,<br>,<?x,<![CDATA[,<a".split(
    ",",
  ),
  ..."```,~~~,`,``,````,\n```mermaid\n,\n```math\n,\n```suggestion\n,\n~~~geojson\n,\n```\n,`x`,`x`fixes #12,`x`@everyone,@`x`,`/close`".split(
    ",",
  ),
  ..."\n/close\n,/merge,\n /label bug\n,---\n\n,***,___,\n---\n,\n===\n,\n=\n,: ,\n:-\n,|,\n|a|b|\n|-|-|\n,\na | b\n- | -\n,\n-|-\n".split(
    ",",
  ),
  ..."> ,- ,* ,+ ,1. ,1) ,0. ,999999999. ,# ,### Reproduction\n,#".split(","),
  ..."\n,\n\n,\n\n\n,  \n,    ,\t,\n  ,\n      ,\n- a\n  - b\n,\n1. a\n   ".split(","),
  ..."*,**,_,__,~,~~,\\,\\\\,\\`,&lt;,&#64;,&commat;everyone,&num;1,&#x40;,&NewLine;,$,$$,$x$,$`,`$,^,]".split(
    ",",
  ),
  "(",
  ")",
  "[",
  "!",
  "'",
  '"',
  ",",
  ":",
  ":+1:",
  "\u202e",
  "\u2066",
  "\u200b",
  "\u00a0",
  "\u2028",
  "\u0085",
  "\x1b[31m",
  "\r",
  "\u009b31m",
  "\x00",
  "::set-output name=x::",
  "##[group]",
  "{{reporter}}",
  "{{#tried}}",
  "$&",
  "word",
  "several plain words",
  " ",
  " ",
];

/** Generates untrusted text of up to `maxPieces` pieces, joined in any order, with characters of any script between them. */
export function hostileText(maxPieces: number): fc.Arbitrary<string> {
  const piece = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...PIECES) },
    { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 6 }) },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 4 }) },
  );
  return fc.array(piece, { minLength: 1, maxLength: maxPieces }).map((pieces) => pieces.join(""));
}
