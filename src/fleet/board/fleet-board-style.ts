/** The page's style sheet. It uses the colours of the board of Triage Runs. Below 640 px each row of the table is a card. */
export const FLEET_BOARD_STYLE = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f6f6f3, #101216);
  --surface: light-dark(#ffffff, #171a20);
  --line: light-dark(#e3e3dc, #282d36);
  --text: light-dark(#1e2126, #e4e7ec);
  --muted: light-dark(#62676f, #979fab);
  --accent: light-dark(#3552c4, #94a9ff);
  --bad: light-dark(#b42318, #ff8d82);
  font: 14px/1.5 system-ui, sans-serif;
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); }
main { max-width: 76rem; margin: 0 auto; padding: 16px; }
header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 12px; }
h1 { margin: 0; font-size: 22px; } h2 { margin: 24px 0 8px; font-size: 16px; }
header p { margin: 0; }
a { color: var(--accent); }
.muted { color: var(--muted); } .bad { color: var(--bad); }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: 12px; margin: 16px 0 0; }
.tiles div { padding: 12px 16px; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); }
dt { color: var(--muted); } dd { margin: 0; color: var(--muted); }
dd strong { display: block; color: var(--text); font-size: 22px; font-variant-numeric: tabular-nums; }
table { width: 100%; border-collapse: collapse; border: 1px solid var(--line); background: var(--surface); }
th, td { padding: 6px 12px; border-bottom: 1px solid var(--line); text-align: right; font-variant-numeric: tabular-nums; }
th:first-child { text-align: left; overflow-wrap: anywhere; }
thead th { color: var(--muted); font-weight: 500; }
tbody th { font-weight: 600; }
.idle th { font-weight: 400; }
@media (max-width: 640px) {
  table, tbody, tr, th, td { display: block; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table { border: 0; background: none; }
  tr { margin-bottom: 12px; padding: 8px 0; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); }
  th, td { border: 0; padding: 2px 12px; }
  td { display: flex; justify-content: space-between; gap: 12px; }
  td::before { content: attr(data-label); color: var(--muted); }
}
`;
