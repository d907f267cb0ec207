(() => {
  const root = document.documentElement;
  const show = () => {
    root.style.visibility = '';
  };

  // Where a browser knows no name of its zone, it gives the offset.
  const reported = Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'UTC';
  const own = reported.replace(/^[+-]00:00$/, 'GMT').replace(/^[+-]/, 'GMT$&');
  const cookie = `clock-zone=${encodeURIComponent(own)}`;
  if (!`; ${document.cookie};`.includes(`; ${cookie};`)) {
    document.cookie = `${cookie}; path=/clock; max-age=31536000; samesite=lax`;
    root.style.visibility = 'hidden';
    setTimeout(show, 3000);
  }

  // By how much the clocks of server and browser differ, by an answer made half-way between asking and hearing.
  const difference = (server, asked, heard) => server - (asked + heard) / 2;
  const differenceOfPage = (written) => {
    const [visit] = performance.getEntriesByType('navigation');
    // Going back in the history may show what was kept: nobody knows how old it is.
    if (!visit || (visit.transferSize ?? (visit.type === 'back_forward' ? 0 : 1)) === 0) return undefined;
    const start = Date.now() - performance.now();
    const times = [start + visit.requestStart, start + visit.responseStart];
    const exact = Number(visit.serverTiming?.find(({ name }) => name === 'now')?.description);
    if (exact) return difference(exact, ...times);
    const rough = difference(written + 500, ...times);
    return Math.abs(rough) < 1000 ? 0 : rough;
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
    // Kept, since a browser that translates the page changes it.
    const { lang } = root;
    const board = document.querySelector('.jumbotron');
    const [time, date] = board.children;
    const written = Number(board.dataset.now);
    const zones = document.querySelector('[name=zoneID]');
    const isOwn = board.dataset.chosen === 'false' && zones.value !== own && offer(zones, own);
    if (isOwn) zones.value = own;
    const zone = zones.value;
    // How far the zone is ahead of UTC, and until when, by the server's rules: the browser's may be older or newer.
    const periodOf = ({ dataset: { offset, until } }) => ({ offset: Number(offset), until: Number(until) });
    let period = isOwn ? { until: 0 } : periodOf(board);

    const known = differenceOfPage(written);
    let ahead = known ?? 0;
    let asked;
    let isLeaving = false;
    // Asks what time it is, and for the page as it is now where that is of use; one question at a time, and after a failure not at once again.
    const ask = (use) => {
      const sent = Date.now();
      const method = use ? 'GET' : 'HEAD';
      asked ??= fetch('/clock/time', { method, signal: AbortSignal.timeout?.(3000) })
        .then(async (answer) => {
          const [, exact] = /\bnow;desc="(\d+)"/.exec(answer.headers.get('server-timing')) ?? [];
          if (exact) ahead = difference(Number(exact), sent, Date.now());
          use?.(new DOMParser().parseFromString(await answer.text(), 'text/html'));
        })
        .catch(() => new Promise((resolve) => setTimeout(resolve, 3000)))
        .finally(() => {
          asked = undefined;
        });
      return asked;
    };

    const everySecond = (write, use) => {
      let lead = Date.now() - performance.now();
      if (known === undefined) void ask(use);
      const tick = () => {
        if (isLeaving) return;
        // The computer slept, or somebody has set its clock.
        const hasJumped = Math.abs(Date.now() - performance.now() - lead) > 1000;
        if (hasJumped) {
          lead = Date.now() - performance.now();
          void ask(use);
        }
        const now = Date.now() + ahead;
        write(now);
        setTimeout(tick, 1001 - (((now % 1000) + 1000) % 1000));
      };
      tick();
    };

    const writers = (timeZone) =>
      [{ timeStyle: 'medium' }, { dateStyle: 'long' }].map(
        (style) => new Intl.DateTimeFormat(lang, { ...style, timeZone }),
      );
    // A moment of a zone is written as if it were UTC's, moved by the zone's offset, as the server does.
    const isSame = (writer, { textContent }) =>
      writer.format(written + periodOf(board).offset).replace(/\s/g, ' ') === textContent.replace(/\s/g, ' ');
    const writesAlike = () => {
      try {
        const [writeTime, writeDate] = writers('UTC');
        return isSame(writeTime, time) && isSame(writeDate, date);
      } catch {
        return false;
      }
    };
    const readPage = (page, use) => {
      const next = page.querySelector('.jumbotron');
      const nextZone = page.querySelector('[name=zoneID]').value;
      const isSameChoice = page.documentElement.lang === lang && next.dataset.chosen === board.dataset.chosen;
      // Something else was chosen meanwhile, in another window.
      isLeaving = !isSameChoice || (nextZone !== zone && !isOwn);
      if (isLeaving) location.reload();
      else use(next, nextZone);
    };

    const tickAsBrowser = () => {
      const inUtc = writers('UTC');
      // Shown until the server has said what it knows of the browser's zone.
      const inOwn = isOwn && writers(reported);
      const learn = (page) =>
        readPage(page, (next, nextZone) => {
          // Where cookies are off, the server does not know the zone, and the browser's rules are all there is.
          period = nextZone === zone ? periodOf(next) : { until: Infinity };
          write(Date.now() + ahead);
        });
      const write = (now) => {
        if (now >= period.until) void ask(learn);
        const [writeTime, writeDate] = period.offset === undefined ? inOwn : inUtc;
        const local = now + (period.offset ?? 0);
        time.textContent = writeTime.format(local);
        date.textContent = writeDate.format(local);
      };
      everySecond(write);
    };

    // A browser knows fewer locales than the server: then the server's text counts, and it is asked for the next hour's.
    let count = counter(time.textContent, written);
    const copy = (page) =>
      readPage(page, (next, nextZone) => {
        // The server does not know the browser's zone, as where cookies are off.
        if (nextZone !== zone) zones.value = nextZone;
        [time.textContent, date.textContent] = [...next.children].map(({ textContent }) => textContent);
        count = counter(time.textContent, Number(next.dataset.now));
        period = periodOf(next);
      });
    const tickAsServer = () => {
      const write = (now) => {
        // Some zones change their offset within an hour.
        const text = now < period.until ? count?.(now) : undefined;
        if (text === undefined) void ask(copy);
        else time.textContent = text;
      };
      everySecond(write, copy);
    };

    if (writesAlike()) tickAsBrowser();
    else if (isOwn) {
      // What the server wrote is of another zone; shown it is all the same when it does not answer.
      count = undefined;
      return void ask(copy).then(tickAsServer).finally(show);
    } else tickAsServer();
    show();
  };

  const offer = (zones, id) => {
    if ([...zones.options].some(({ value }) => value === id)) return true;
    if (!id.startsWith('GMT')) return false;
    zones.add(new Option(`${id} - ${id}`, id), 0);
    return true;
  };

  const improveForm = () => {
    if (!window.jQuery) return;
    const form = $('form');
    let isTyping = false;
    form
      .find('select')
      .on('keydown', ({ key, altKey }) => {
        if (key === 'Enter') form[0].requestSubmit();
        // What is chosen in a list that was opened counts at once, what is passed through in a closed one does not.
        isTyping = key !== 'Enter' && key !== ' ' && key !== 'F4' && !altKey;
      })
      .on('pointerdown', () => {
        isTyping = false;
      })
      .on('change', () => {
        if (!isTyping) form[0].requestSubmit();
      });
    keepFocus(form);
    const button = form.find('button');
    if (!window.bootstrap) return;
    const tooltip = new bootstrap.Tooltip(button[0], { title: button.attr('aria-label') });
    // It says what the button is called, which would be read out twice.
    button.on('inserted.bs.tooltip', () => button.removeAttr('aria-describedby'));
    $(document).on('keydown', ({ key }) => {
      if (key === 'Escape') tooltip.hide();
    });
  };

  // Whoever uses the keyboard goes on where they were before the form was sent.
  const keepFocus = (form) => {
    const place = 'clock-focus';
    let isByKey = false;
    // Before anything else hears of it: a key may send the form.
    for (const type of ['keydown', 'pointerdown']) {
      document.addEventListener(
        type,
        () => {
          isByKey = type === 'keydown';
        },
        true,
      );
    }
    try {
      const controls = form.find('select, button');
      controls[sessionStorage.getItem(place) ?? -1]?.focus();
      sessionStorage.removeItem(place);
      form.on('submit', () => {
        if (isByKey) sessionStorage.setItem(place, controls.index(document.activeElement));
      });
    } catch {
      // A browser that keeps nothing for us.
    }
  };

  // The page is whole before the scripts that it loads have come.
  const start = () => {
    try {
      startClock();
    } catch (thrown) {
      show();
      throw thrown;
    }
  };
  document.addEventListener('readystatechange', start, { once: true });
  addEventListener('DOMContentLoaded', improveForm);
})();
