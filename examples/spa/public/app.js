const form = document.querySelector('form');
const list = document.querySelector('ul');
const status = document.querySelector('[role=status]');

/** Texts of visitors go into the page as texts, never as HTML. */
function show(texts) {
  list.replaceChildren(
    ...texts.map((text) => {
      const item = document.createElement('li');
      item.textContent = text;
      return item;
    }),
  );
}

async function call(options) {
  const answer = await fetch('/api/notes', options);
  const content = await answer.json();
  status.textContent = answer.ok ? '' : content.detail;
  if (answer.ok) show(content);
  return answer.ok;
}

async function add() {
  const body = JSON.stringify({ text: form.elements.text.value });
  if (await call({ method: 'POST', headers: { 'content-type': 'application/json' }, body })) form.reset();
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void add();
});

await call();
