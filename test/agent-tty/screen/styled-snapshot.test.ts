import { createScreen, type Screen } from "agent-tty/testing";
import { expect, test } from "vitest";

test("the cells of single rows equal those of the detailed snapshot, even during an update (A8)", () => {
  using screen = createScreen({ cols: 20, rows: 4 });
  write(
    screen,
    "\x1b[31mred\x1b[0m and 日本\r\n\x1b[1;7mbold\x1b[0m\x1b]0;title\x07\x1b]7501;state=idle\x07",
  );
  check(screen);
  write(screen, "\x1b[?2026h\x1b[2J\x1b[Hhalf");
  check(screen);
});

test("the cells of a snapshot do not change with later output (A8)", () => {
  using screen = createScreen({ cols: 20, rows: 4 });
  write(screen, "one\r\ntwo");
  const styled = screen.styledSnapshot();
  const [first] = styled.cellsOf(0);
  write(screen, "\x1b[Hnew");
  expect(first?.char).toBe("o");
  expect(styled.cellsOf(0)[0]?.char).toBe("o");
  expect(() => styled.cellsOf(1)).toThrow("after it had changed");
});

function check(screen: Screen): void {
  const { cells, visibleLines, screenHash, title, programReport } = screen.detailedSnapshot();
  const styled = screen.styledSnapshot();
  expect(cells.map((_, row) => styled.cellsOf(row))).toEqual(cells);
  for (const row of [-1, 4]) expect(styled.cellsOf(row).map(({ char }) => char)).toEqual(Array(20).fill(" "));
  expect(styled).toMatchObject({ visibleLines, screenHash, title, programReport });
}

function write(screen: Screen, text: string): void {
  screen.write(Buffer.from(text), 1);
}
