/** Hides the rows that do not have the words in the filter. Without it the page is the whole list, and has no filter. */
export const browserScript = `
const field = document.querySelector('#filter');
const rows = [...document.querySelectorAll('tbody tr')];
const words = (row) => [row.closest('section').querySelector('h2'), ...[...row.cells].slice(0, -1)]
  .map((part) => part.textContent.toLowerCase()).join(' ');
const texts = new Map(rows.map((row) => [row, words(row)]));
function narrow() {
  const wanted = field.value.toLowerCase().split(' ').filter(Boolean);
  for (const row of rows) row.hidden = !wanted.every((word) => texts.get(row).includes(word));
  for (const part of document.querySelectorAll('section')) part.hidden = !part.querySelector('tbody tr:not([hidden])');
  const count = rows.filter((row) => !row.hidden).length;
  document.querySelector('output').textContent = wanted.length === 0 ? '' : count + ' of ' + rows.length;
}
field.closest('p').hidden = false;
field.addEventListener('input', narrow);
addEventListener('click', ({ target }) => {
  if (!target.matches('a[href^="#"]')) return;
  field.value = '';
  narrow();
});
narrow();
`;
