// Keeps a page of the dashboard up to date. Every page says the same without it, when it is loaded anew.
const beside = document.currentScript.src;
if (document.getElementById('asOf') !== null) {
  const live = new EventSource(new URL('live', beside));
  const shown = new Map();
  live.onmessage = ({ data }) => {
    for (const [id, html] of Object.entries(JSON.parse(data))) {
      const region = document.getElementById(id);
      // What is in use stays as it is: the keyboard would lose its place.
      if (region === null || shown.get(id) === html || region.contains(document.activeElement)) continue;
      region.innerHTML = html;
      shown.set(id, html);
    }
    document.body.classList.remove('stale');
  };
  live.addEventListener('unknown', () => document.body.classList.add('stale'));
  live.addEventListener('ended', () => {
    live.close();
    location.reload();
  });
  live.onerror = () => document.body.classList.add('stale');
}

const waiting = document.querySelector('[data-reload]');
if (waiting !== null) setTimeout(() => location.reload(), Number(waiting.getAttribute('data-reload')) * 1000);
