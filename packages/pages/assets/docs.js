// Buttons of the documentation: copying examples, and answers beside the forms that ask for them. Without it, examples are
// selected by hand, and a form opens its answer as a page.
const { copy, copied } = document.querySelector('.docs').dataset;
for (const code of document.querySelectorAll('.docs pre')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = copy;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(code.textContent.trim());
    button.textContent = copied;
    setTimeout(() => {
      button.textContent = copy;
    }, 2_000);
  });
  code.before(button);
}

/** An answer above this size is opened as a page or a file. */
const MAX_SHOWN = 200_000;

for (const form of document.querySelectorAll('form.try')) {
  form.addEventListener('submit', (event) => {
    // A page, a workbook and a file are not text to be read here.
    if (['html', 'xlsx', 'csv'].includes(form.elements.$format.value)) return;
    event.preventDefault();
    ask(form);
  });
}

async function ask(form) {
  const query = new URLSearchParams(new FormData(form));
  query.delete('form');
  for (const [name, value] of [...query]) if (value === '') query.delete(name);
  const address = `${form.action}?${query}`;
  const shown = form.nextElementSibling?.matches('.answer') ? form.nextElementSibling : makeAnswer(form);
  shown.querySelector('a').href = address;
  shown.querySelector('a').textContent = decodeURI(address);
  const [state, body] = shown.querySelectorAll('code');
  try {
    const answer = await fetch(address, { headers: { accept: '*/*' } });
    const text = await answer.text();
    state.textContent = `HTTP ${answer.status}`;
    const isJson = answer.headers.get('content-type')?.includes('json');
    body.textContent = (isJson ? JSON.stringify(JSON.parse(text), null, 2) : text).slice(0, MAX_SHOWN);
  } catch (error) {
    state.textContent = String(error);
    body.textContent = '';
  }
}

function makeAnswer(form) {
  const shown = document.createElement('div');
  shown.className = 'answer';
  shown.setAttribute('role', 'status');
  shown.innerHTML = '<p><code></code> <a></a></p><pre tabindex="0"><code></code></pre>';
  form.after(shown);
  return shown;
}
