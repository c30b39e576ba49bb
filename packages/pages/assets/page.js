// Shortcuts of the pages. Without this script, forms are sent by their buttons, and charts show values as titles.

// A choice in a filter applies at once. Typed text applies with the Enter key.
const FOCUS = 'takt-focus';
for (const form of document.querySelectorAll('form.quick[method=get]')) {
  form.addEventListener('change', ({ target }) => {
    if (!target.matches('select, [type=checkbox]')) return;
    sessionStorage.setItem(FOCUS, target.name);
    form.requestSubmit();
  });
}
const focused = sessionStorage.getItem(FOCUS);
sessionStorage.removeItem(FOCUS);
if (focused !== null) document.querySelector(`form.quick [name="${CSS.escape(focused)}"]`)?.focus();

// Nothing that a person chose stays for the next person who signs in.
if (document.querySelector('[type=password]') !== null) sessionStorage.clear();

const compare = document.querySelector('form.chosen');
if (compare !== null) keepChosen(compare);

/** Keeps the rows that are chosen for a comparison while a person pages and filters, and shows them in the bar. */
function keepChosen(form) {
  const bar = form.querySelector('.compare-bar');
  const button = bar.querySelector('button');
  const key = `takt-chosen ${new URLSearchParams(location.search).get('$db')}`;
  const chosen = new Map(JSON.parse(sessionStorage.getItem(key) ?? '[]'));
  const boxes = [...form.querySelectorAll('[name=ids]')];
  const names = document.createElement('ul');
  names.className = 'chips';
  bar.prepend(names);
  const show = () => {
    const isFull = chosen.size >= Number(bar.dataset.most);
    for (const box of boxes) {
      box.checked = chosen.has(box.value);
      box.disabled = isFull && !box.checked;
    }
    button.disabled = chosen.size === 0;
    bar.classList.toggle('held', chosen.size > 0);
    names.replaceChildren(...[...chosen].map(([id, name]) => makeChip(id, name)));
    sessionStorage.setItem(key, JSON.stringify([...chosen]));
  };
  const makeChip = (id, name) => {
    const chip = document.createElement('li');
    chip.className = 'chip';
    const remove = document.createElement('button');
    remove.type = 'button';
    remove.textContent = '×';
    remove.setAttribute(
      'aria-label',
      bar.dataset.remove.replace('{0}', () => name),
    );
    remove.addEventListener('click', () => {
      chosen.delete(id);
      show();
    });
    chip.append(name, remove);
    // A row of another page has no box here.
    if (!boxes.some((box) => box.value === id)) {
      const field = document.createElement('input');
      field.type = 'hidden';
      field.name = 'ids';
      field.value = id;
      chip.append(field);
    }
    return chip;
  };
  form.addEventListener('change', ({ target }) => {
    if (target.name !== 'ids') return;
    if (target.checked) {
      chosen.set(target.value, document.getElementById(`r${target.value}`).textContent);
    } else {
      chosen.delete(target.value);
    }
    show();
  });
  show();
}

// The values of a chart appear beside the pointer. The title of a shape would appear late.
const tip = document.createElement('div');
tip.className = 'tip';
tip.hidden = true;
document.body.append(tip);
for (const title of document.querySelectorAll('.hit > title')) {
  title.parentElement.dataset.tip = title.textContent;
  title.remove();
}
document.addEventListener('pointermove', ({ target, clientX, clientY }) => {
  const text = target.dataset?.tip;
  tip.hidden = text === undefined;
  if (text === undefined) return;
  tip.textContent = text;
  tip.style.left = `${Math.min(clientX + 12, innerWidth - tip.offsetWidth - 8)}px`;
  tip.style.top = `${clientY + 16}px`;
});
