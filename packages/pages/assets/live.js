// Updates a page of the dashboard. Without it, reloading the page shows the same.
const asOf = document.getElementById('asOf');
if (asOf !== null) {
  const live = new EventSource(asOf.dataset.live + location.search);
  // Received parts that are not shown yet.
  const told = new Map();
  live.onmessage = ({ data }) => {
    for (const [id, html] of Object.entries(JSON.parse(data))) told.set(id, html);
    for (const [id, html] of told) {
      const region = document.getElementById(id);
      // A part in use is not replaced: the keyboard would lose its focus, and typed text.
      if (region?.contains(document.activeElement)) continue;
      if (region !== null) region.innerHTML = html;
      told.delete(id);
    }
    document.body.classList.remove('stale');
  };
  live.addEventListener('unknown', () => document.body.classList.add('stale'));
  live.addEventListener('ended', () => {
    live.close();
    location.reload();
  });
  live.onerror = () => {
    document.body.classList.add('stale');
    // It was refused, usually for too many watchers, and the browser does not retry.
    if (live.readyState === EventSource.CLOSED) reloadSoon();
  };
}

/** Only once there is an answer: a page that stays is better than that of a proxy without a dashboard. */
function reloadSoon() {
  setTimeout(async () => {
    const { status = 503 } = await fetch(location.href, { method: 'HEAD' }).catch(() => ({}));
    if (status < 500) {
      location.reload();
    } else {
      reloadSoon();
    }
  }, 30_000);
}

const waiting = document.querySelector('[data-reload]');
if (waiting !== null) setTimeout(() => location.reload(), Number(waiting.getAttribute('data-reload')) * 1000);
