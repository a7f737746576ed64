/** A stream of bytes and the screen it is shown on. */
export interface TerminalStream {
  name: string;
  cols: number;
  rows: number;
  bytes: Buffer;
}

const SIZE = { cols: 80, rows: 24 };

/** Hand-written streams that are hard to get right: each line names its subject. */
const WRITTEN: Readonly<Record<string, string>> = {
  "wrap at the last column": `${"x".repeat(80)}y\r\n${"x".repeat(79)}日\x1b[20;80HZ\bq`,
  "no wrap mode": `\x1b[?7l${"abc".repeat(40)}\x1b[?7h\r\nnext`,
  "scroll region": "\x1b[5;10r\x1b[5;1H1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\x1b[r\x1b[1;1Htop\x1b[24;1Hbottom",
  "origin mode": "\x1b[5;10r\x1b[?6h\x1b[1;1Hfirst\x1b[99;1Hlast\x1b[?6l\x1b[r",
  "reverse index": "\x1b[3;6r\x1b[3;1Ha\r\nb\r\nc\x1b[3;1H\x1bMnew\x1b[r",
  "insert and delete lines": "1\r\n2\r\n3\r\n4\r\n5\x1b[2;1H\x1b[2L\x1b[4;1H\x1b[M",
  "insert, delete and erase characters": "abcdefgh\x1b[1;3H\x1b[2@\x1b[1;7H\x1b[P\x1b[1;1H\x1b[X",
  "insert mode": "abcdef\x1b[1;3H\x1b[4hXY\x1b[4l",
  "erase in line and display": "aaaa\r\nbbbb\r\ncccc\x1b[2;3H\x1b[1K\x1b[3;2H\x1b[K\x1b[1;3H\x1b[1J",
  "tab stops": "\ta\tb\x1b[3g\x1b[1;20H\x1bH\r\n\tc\r\n\x1b[2Id\x1b[Ze",
  "save and restore": "\x1b[5;5H\x1b[1m\x1b7\x1b[10;10Hx\x1b8y\x1b[s\x1b[1;1Hz\x1b[uw",
  "alternate screen": "main\x1b[?1049h\x1b[Hother\x1b[?1049l back",
  "line drawing": "\x1b(0lqqk\r\nx  x\r\nmqqj\x1b(B done",
  "alignment pattern": "\x1b#8\x1b[5;5H\x1b[Kx",
  repeat: "ab\x1b[5b|\r\n=\x1b[10b",
  "wide and combining": "日本語|e\u0301|n\u0303|한국|ａｂ\r\n\x1b[1;2Hx\x1b[1;6Hy",
  emoji: "🙂|👍|🚀 ok\r\n🎉🎉🎉|",
  "carriage return over text": "long text here\rshort\r\n50%\r100%\b\b\b9",
  "scroll up and down": "1\r\n2\r\n3\r\n4\x1b[2S\x1b[1T\x1b[10;1Hend",
  "cursor movement at the edges":
    "\x1b[99;99Hx\x1b[99A\x1b[99Dy\x1b[99B\x1b[99Cz\x1b[HA\x1b[2;3fB\x1b[5GC\x1b[4dD",
  "next line and index": "a\x1bDb\x1bEc\x1b[2Ed\x1b[Fe",
  "many lines": Array.from({ length: 200 }, (_, index) => `line ${index}`).join("\r\n"),
};

export function writtenStreams(): TerminalStream[] {
  const { cols, rows } = SIZE;
  return Object.entries(WRITTEN).map(([name, text]) => ({ name, cols, rows, bytes: Buffer.from(text) }));
}
