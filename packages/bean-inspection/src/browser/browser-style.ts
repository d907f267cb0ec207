/** The looks of the bean browser, in light and dark. */
export const browserStyle = `
:root { color-scheme: light dark; --ink: #1d2330; --soft: #566071; --ground: #f6f7f9; --card: #fff; --line: #dfe3e8; --accent: #0b5ed7; }
@media (prefers-color-scheme: dark) { :root { --ink: #e9ecf1; --soft: #a3acba; --ground: #14171c; --card: #1d2127; --line: #313741; --accent: #7ab0ff; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 2rem 1rem 4rem; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { width: min(64rem, 100%); margin: 0 auto; }
h1 { margin: 0 0 .25rem; font-size: 2rem; letter-spacing: -.02em; }
h2 { margin: 2rem 0 .5rem; font-size: 1rem; color: var(--soft); font-weight: 600; }
p { margin: 0; color: var(--soft); }
section { overflow-x: auto; }
table { width: 100%; border-collapse: separate; border-spacing: 0; border: 1px solid var(--line); border-radius: .75rem; background: var(--card); }
th, td { padding: .5rem 1rem; text-align: left; vertical-align: top; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
thead th { border-top: 0; color: var(--soft); font-size: .8125rem; font-weight: 600; }
tbody th { font-weight: 600; }
tbody tr:target { outline: 2px solid var(--accent); outline-offset: -2px; }
small { display: block; color: var(--soft); font-weight: 400; }
code { font: .875rem/1.5 ui-monospace, monospace; }
a { color: var(--accent); }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`;
