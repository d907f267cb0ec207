import { plainPalette } from '@jig/application/internal';

/** The looks of the bean browser, in light and dark; on a narrow screen each row of a table is a block. */
export const browserStyle = `${plainPalette}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; padding: 2rem 1rem 4rem; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { width: min(64rem, 100%); margin: 0 auto; }
h1 { margin: 0 0 .25rem; font-size: 2rem; letter-spacing: -.02em; }
h2 { margin: 2rem 0 .5rem; font-size: 1rem; color: var(--soft); font-weight: 600; }
p { margin: 0; color: var(--soft); }
.filter { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .75rem; margin-top: 1.25rem; }
.filter label { color: var(--ink); font-weight: 600; }
.filter input { flex: 0 1 20rem; min-width: 0; padding: .5rem .75rem; border: 1px solid var(--soft); border-radius: .5rem; background: var(--card); color: var(--ink); font: inherit; }
table { width: 100%; table-layout: fixed; border-collapse: separate; border-spacing: 0; border: 1px solid var(--line); border-radius: .75rem; background: var(--card); }
th, td { padding: .5rem 1rem; text-align: left; vertical-align: top; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
thead th { border-top: 0; color: var(--soft); font-size: .8125rem; font-weight: 600; }
thead th:nth-child(1) { width: 25%; }
thead th:nth-child(2) { width: 22%; }
thead th:nth-child(3) { width: 12%; }
thead th:nth-child(5) { width: 9.5rem; }
tbody th { font-weight: 600; }
tbody tr:target { outline: 2px solid var(--accent); outline-offset: -2px; }
small { display: block; color: var(--soft); font-weight: 400; }
code { font: .875rem/1.5 ui-monospace, monospace; }
td a { margin-right: .625rem; }
a { color: var(--accent); }
a:focus-visible, input:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
@media (max-width: 45rem) {
  table, tbody { display: block; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tbody tr { display: grid; grid-template-columns: 1fr auto; column-gap: 1rem; padding: .75rem 1rem; border-top: 1px solid var(--line); }
  tbody tr:first-child { border-top: 0; }
  tbody th, tbody td { grid-column: 1 / -1; padding: 0; border: 0; }
  tbody th { grid-column: 1; }
  tbody td:last-child { grid-area: 1 / 2; }
  tbody td:last-child a:last-child { margin-right: 0; }
  tbody td:nth-child(4):not(:empty)::before { content: 'needs '; color: var(--soft); }
}
`;
