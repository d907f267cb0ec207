/** Colours that a drawing takes from its style sheet; the first of each pair is for light pages, and for whoever knows no style sheets. */
const themed = {
  paper: ['#ffffff', '#0d1117'],
  ink: ['#1f2328', '#e6edf3'],
  faint: ['#d1d9e0', '#30363d'],
} as const;

type Themed = keyof typeof themed;

const names = Object.keys(themed) as Themed[];

export const colours = Object.fromEntries(names.map((name) => [name, `var(--${name}, ${themed[name][0]})`])) as Record<
  Themed,
  string
>;

/** Far enough from both papers to be seen on either, and told apart by the colour-blind too. */
export const lineColours = ['#2f81d0', '#d9730d', '#1a9c74', '#b562c4'];

/** Gives a drawing a style sheet for light and dark, and a title for those who do not see it. */
export function withBothThemes(svg: string, title: string): string {
  const rule = (theme: 0 | 1) => `:root{${names.map((name) => `--${name}:${themed[name][theme]}`).join(';')}}`;
  const style = `<style>${rule(0)}@media (prefers-color-scheme:dark){${rule(1)}}</style>`;
  return `${svg.replace(/<svg[^>]*>/, (root) => `${root}\n<title>${title}</title>\n${style}`).trim()}\n`;
}
