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

  // Counts on in the minutes and seconds of a text, whatever its digits, until the hour is over.
  const counter = (text, written) => {
    const [minutes, seconds] = [...text.matchAll(/\p{Nd}+/gu)].slice(-2);
    if (!seconds) return undefined;
    const from = Math.floor(written / 1000);
    const zero = Array.from(seconds[0]).at(-1).codePointAt(0) - (from % 10);
    const read = ([digits]) => Array.from(digits).reduce((sum, digit) => sum * 10 + digit.codePointAt(0) - zero, 0);
    if (read(seconds) !== from % 60) return undefined;
    const width = Math.min(Array.from(minutes[0]).length, Array.from(seconds[0]).length);
    const write = (number) =>
      Array.from(String(number).padStart(width, '0'), (digit) => String.fromCodePoint(zero + Number(digit))).join('');
    const before = text.slice(0, minutes.index);
    const between = text.slice(minutes.index + minutes[0].length, seconds.index);
    const after = text.slice(seconds.index + seconds[0].length);
    return (now) => {
      const count = read(minutes) * 60 + read(seconds) + Math.max(0, Math.floor(now / 1000) - from);
      return count < 3600 ? before + write(Math.floor(count / 60)) + between + write(count % 60) + after : undefined;
    };
  };

  const startClock = () => {
    const board = document.querySelector('.jumbotron');
    const [time, date] = board.children;
    const zones = document.querySelector('[name=zoneID]');
    const isOwn =
      board.dataset.chosen === 'false' && zones.value !== own && [...zones.options].some(({ value }) => value === own);
    if (isOwn) zones.value = own;

    const written = Number(board.dataset.now);
    const ahead = serverAhead(written);
    const everySecond = (write) => {
      const now = Date.now() + ahead;
      write(now);
      setTimeout(everySecond, 1001 - (now % 1000), write);
    };

    const writers = (timeZone) =>
      [{ timeStyle: 'medium' }, { dateStyle: 'long' }].map(
        (style) => new Intl.DateTimeFormat(root.lang, { ...style, timeZone }),
      );
    const isSame = (writer, { textContent }) =>
      writer.format(written).replace(/\s/g, ' ') === textContent.replace(/\s/g, ' ');
    const writesAlike = () => {
      try {
        const [writeTime, writeDate] = writers(board.dataset.zone);
        return isSame(writeTime, time) && isSame(writeDate, date);
      } catch {
        return false;
      }
    };

    let count = counter(time.textContent, written);
    let asked;
    const copy = (text) => {
      const next = new DOMParser().parseFromString(text, 'text/html').querySelector('.jumbotron');
      [time.textContent, date.textContent] = [...next.children].map(({ textContent }) => textContent);
      count = counter(time.textContent, Number(next.dataset.now));
    };
    const ask = () => {
      asked ??= fetch('/clock/time', { signal: AbortSignal.timeout(3000) })
        .then((answer) => answer.text())
        .then(copy)
        .catch(() => {})
        .finally(() => {
          asked = undefined;
        });
      return asked;
    };

    const tick = () => {
      const [writeTime, writeDate] = writers(isOwn ? own : board.dataset.zone);
      everySecond((now) => {
        time.textContent = writeTime.format(now);
        date.textContent = writeDate.format(now);
      });
    };
    // A browser knows fewer locales than the server, and other zones: then the server's text counts, and it is asked for the next hour's.
    const tickAsServer = () =>
      everySecond((now) => {
        const text = count?.(now);
        if (text === undefined) void ask();
        else time.textContent = text;
      });

    const show = () => {
      root.style.visibility = '';
    };
    if (writesAlike()) tick();
    else if (isOwn) {
      // What the server wrote is of another zone; shown it is all the same when it does not answer.
      count = undefined;
      return void ask().then(tickAsServer).finally(show);
    } else tickAsServer();
    show();
  };

  const improveForm = () => {
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
  };

  // The page is whole before the scripts that it loads have come.
  document.addEventListener('readystatechange', startClock, { once: true });
  addEventListener('DOMContentLoaded', improveForm);
})();
