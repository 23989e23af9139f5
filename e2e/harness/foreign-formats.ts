import type { Page } from 'playwright-core';

/** How a reader has dates, as they chose in their profile. */
export interface ReaderFormats {
  /** BCP 47. */
  language: string;
  /** IANA. */
  timeZone: string;
}

interface Shown {
  datetime: string;
  title: string;
}

/** The tooltip of a moment, as a reader of another language than English has it. */
const exactText = ({ language, timeZone }: ReaderFormats, value: string): string => {
  const date = new Date(value);
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(value);
  const zone = isDay ? 'UTC' : timeZone;
  const day = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', year: 'numeric', timeZone: zone });
  if (isDay) return day.format(date);
  const clock = new Intl.DateTimeFormat(language, {
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', timeZoneName: 'short', timeZone: zone },
  });
  return `${day.format(date)}, ${clock.format(date)}`;
};

/** Moments that a page shows. */
export const momentsOn = (page: Page): Promise<Shown[]> =>
  page.locator('time[datetime]').evaluateAll((elements) =>
    elements.map((element) => ({
      datetime: element.getAttribute('datetime') ?? '',
      title: element.getAttribute('title') ?? '',
    })),
  );

/** Moments of a page that stand in another zone or form than the reader's. */
export const foreignMoments = (moments: readonly Shown[], formats: ReaderFormats): string[] =>
  moments
    .filter(({ datetime, title }) => title !== exactText(formats, datetime))
    .map(({ datetime, title }) => `moment ${datetime}: "${title}", not "${exactText(formats, datetime)}"`);

/** Figures and dates in a form that is not German: whole texts such as `1,234`, `54.47`, `12.5%`, `14 Mar`, `2026-03-14`, and any `2:05 PM`. */
export const englishFormatsOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const forms = [
      /^[+-]?\$?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?(?: ?%)?$/,
      /^[+-]?\$?\d+\.\d{1,2}(?: ?%)?$/,
      /^\d+%$/,
      /^\d{4}-\d{2}-\d{2}$/,
      /^\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b(?!\.)/,
      /\b\d{1,2}:\d{2}(?::\d{2})? [AP]M\b/,
    ];
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      // versions and what tools wrote stand in code or are marked
      if (node.parentElement?.closest('script, style, noscript, code, pre, option, .mono, [lang]:not(html)') != null)
        continue;
      const text = (node.textContent ?? '').trim();
      if (forms.some((form) => form.test(text))) found.push(text);
    }
    return [...new Set(found)];
  });
