(() => {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const isNew = !`; ${document.cookie};`.includes(`; clock-zone=${encodeURIComponent(own)};`);
  const root = document.documentElement;
  if (isNew) {
    document.cookie = `clock-zone=${encodeURIComponent(own)}; path=/clock; max-age=31536000; samesite=lax`;
    root.style.visibility = 'hidden';
  }

  const serverAhead = (page) => {
    const [visit] = performance.getEntriesByType('navigation');
    const answered = performance.timeOrigin + (visit ? (visit.requestStart + visit.responseStart) / 2 : 0);
    const exact = Number(visit?.serverTiming?.find((timing) => timing.name === 'now')?.description);
    if (exact) return exact - answered;
    const ahead = page + 500 - answered;
    return Math.abs(ahead) < 1000 ? 0 : ahead;
  };

  addEventListener('DOMContentLoaded', () => {
    const board = document.querySelector('.jumbotron');
    const [time, date] = board.children;
    const zones = document.querySelector('[name=zoneID]');
    let zone = board.dataset.zone;
    if (
      board.dataset.chosen === 'false' &&
      zones.value !== own &&
      [...zones.options].some(({ value }) => value === own)
    ) {
      zones.value = own;
      zone = own;
    }

    const ahead = serverAhead(Number(board.dataset.now));
    const write = (style) => new Intl.DateTimeFormat(root.lang, { ...style, timeZone: zone });
    const tick = (writeTime, writeDate) => {
      const now = Date.now() + ahead;
      time.textContent = writeTime.format(now);
      date.textContent = writeDate.format(now);
      setTimeout(tick, 1001 - (now % 1000), writeTime, writeDate);
    };
    const copy = (text) => {
      const page = new DOMParser().parseFromString(text, 'text/html');
      const [newTime, newDate] = page.querySelector('.jumbotron').children;
      time.textContent = newTime.textContent;
      date.textContent = newDate.textContent;
    };
    const ask = () => {
      void fetch('/clock/time')
        .then((answer) => answer.text())
        .then(copy)
        .catch(() => {})
        .finally(() => setTimeout(ask, 1000));
    };
    try {
      // A browser knows fewer locales than the server, which then has to be asked.
      if (Intl.DateTimeFormat.supportedLocalesOf(root.lang).length === 0) ask();
      else tick(write({ timeStyle: 'medium' }), write({ dateStyle: 'long' }));
    } catch {
      // A browser that does not know the zone shows what the server wrote.
    }
    root.style.visibility = '';

    if (!window.jQuery) return;
    const form = $('form');
    let isTyping = false;
    form
      .find('select')
      .on('keydown', ({ key }) => {
        isTyping = key !== 'Enter';
        if (key === 'Enter') form[0].requestSubmit();
      })
      .on('pointerdown', () => {
        isTyping = false;
      })
      .on('change', () => {
        if (!isTyping) form[0].requestSubmit();
      });
    const button = form.find('button');
    if (window.bootstrap) new bootstrap.Tooltip(button[0], { title: button.attr('aria-label') });
  });
})();
