import { afterEach, describe, expect, test } from 'vitest';
import { setLanguage } from '../language/translate.ts';
import {
  dayOfReader,
  formatAge,
  formatChange,
  formatCount,
  formatDate,
  formatDecimal,
  formatExact,
  formatFixed,
  formatList,
  formatMoment,
  formatNumber,
  formatPercent,
  formatTime,
  formatUsd,
  setFormats,
} from './formats.ts';

const NOW = new Date('2026-11-21T12:00:00Z');

test.each([
  ['2026-11-21T11:59:40Z', 'just now'],
  ['2026-11-21T11:57:00Z', '3 min ago'],
  ['2026-11-21T07:00:00Z', '5 h ago'],
  ['2026-11-20T12:00:01Z', '23 h ago'],
  ['2026-11-18T12:00:00Z', '18 Nov'],
  ['2025-11-18T12:00:00Z', '18 Nov 2025'],
  ['2026-12-24T12:00:00Z', '24 Dec'],
  ['2026-09-05T12:00:00Z', '5 Sep'],
])('%s reads as %s', (value, text) => {
  expect(formatTime(value, NOW)).toBe(text);
});

test.each([
  ['2026-11-21', 'today'],
  ['2026-12-01', 'today'],
  ['2026-11-20', '1 day ago'],
  ['2026-10-23', '29 days ago'],
  ['2026-10-21', '1 month ago'],
  ['2025-12-01', '11 months ago'],
  ['2025-11-20', '1 year ago'],
  ['2013-05-01', '13 years ago'],
  ['never', 'never'],
])('%s is %s', (day, text) => expect(formatAge(day, NOW)).toBe(text));

test('a date without a time is that day in every time zone', () => {
  expect(formatDate('2026-11-18', NOW)).toBe('18 Nov');
  expect(formatExact('2026-11-18')).toBe('18 Nov 2026');
});

test('an exact time names seconds and zone', () => {
  expect(formatExact('2026-11-18T09:12:04Z')).toMatch(/^1[789] Nov 2026, \d\d:\d\d:04 \S+/);
});

test('what is no time is shown as it came', () => {
  expect(formatTime('yesterday', NOW)).toBe('yesterday');
});

test('numbers', () => {
  expect(formatNumber(1234567)).toBe('1,234,567');
  expect(formatCount(12345)).toBe('12,345');
  expect(formatCount(1234567)).toBe('1.2M');
  expect(formatUsd(129900)).toBe('$1,299');
  expect([12.4, -3, 0.2].map(formatChange)).toEqual(['+12%', '-3%', '0%']);
});

describe('as a reader has chosen', () => {
  afterEach(() => {
    setLanguage('en', undefined, formatDecimal);
    setFormats({ language: 'en', numbers: 'en-US', timeZone: undefined });
  });
  const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');

  test('figures of German', () => {
    setFormats({ language: 'de', numbers: 'de', timeZone: 'Europe/Berlin' });
    expect([formatNumber(1234567), formatDecimal(1234.5), formatFixed(9, 1)]).toEqual(['1.234.567', '1.234,5', '9,0']);
    expect([formatCount(1234567), formatPercent(12.5, 2), formatChange(12), formatUsd(129900)].map(plain)).toEqual([
      '1,2 Mio.',
      '12,50 %',
      '+12 %',
      '1.299 $',
    ]);
  });

  test('a number format of another place than the language', () => {
    setFormats({ language: 'de', numbers: 'de-CH', timeZone: 'Europe/Zurich' });
    expect(formatDecimal(1234.5)).toMatch(/^1['’]234\.5$/);
    setFormats({ language: 'en', numbers: 'de-DE', timeZone: 'Europe/Berlin' });
    expect([formatFixed(9.8, 1), formatDate('2025-03-02', NOW)]).toEqual(['9,8', '2 Mar 2025']);
  });

  test('dates and times of German', async () => {
    setFormats({ language: 'de', numbers: 'de', timeZone: 'Europe/Berlin' });
    setLanguage('de', (await import('../../../../languages/de/platform.json')).default, formatDecimal);
    expect([formatDate('2026-11-23', NOW), formatDate('2025-03-02', NOW)]).toEqual(['23. Nov.', '2. März 2025']);
    expect(formatExact('2026-11-23T09:12:04Z')).toBe('23. Nov. 2026, 10:12:04 MEZ');
    expect(
      ['2026-11-21T11:59:40Z', '2026-11-21T11:57:00Z', '2026-11-21T07:00:00Z'].map((at) => formatTime(at, NOW)),
    ).toEqual(['gerade eben', 'vor 3 Min.', 'vor 5 Std.']);
    expect(formatList(['Adresse', 'Token', 'Projekt'])).toBe('Adresse, Token und Projekt');
  });

  test.each([
    ['Pacific/Auckland', '24 Nov', '24 Nov 2026, 00:30:00', '2026-11-24', '24 Nov, 00:30'],
    ['Europe/Berlin', '23 Nov', '23 Nov 2026, 12:30:00', '2026-11-23', '12:30'],
    ['America/New_York', '23 Nov', '23 Nov 2026, 06:30:00', '2026-11-23', '06:30'],
  ])('a moment in %s is of the day there', (timeZone, day, exact, today, moment) => {
    setFormats({ language: 'en', numbers: 'en-US', timeZone });
    const at = '2026-11-23T11:30:00Z';
    expect(formatDate(at, NOW)).toBe(day);
    expect(formatExact(at)).toContain(exact);
    expect(dayOfReader(new Date(at))).toBe(today);
    // two days earlier, so that it is no time of today but for who is told so
    const now = new Date(timeZone === 'Pacific/Auckland' ? NOW : at);
    expect(formatMoment(at, now)).toBe(moment);
  });

  test('the end of a year is the one of the reader', () => {
    const at = '2026-12-31T20:00:00Z';
    setFormats({ language: 'en', numbers: 'en-US', timeZone: 'Pacific/Auckland' });
    expect(formatDate(at, NOW)).toBe('1 Jan 2027');
    setFormats({ language: 'en', numbers: 'en-US', timeZone: 'America/New_York' });
    expect(formatDate(at, NOW)).toBe('31 Dec');
  });

  test('a date without a time stays that day on both sides of the date line', () => {
    for (const timeZone of ['Pacific/Auckland', 'America/New_York']) {
      setFormats({ language: 'en', numbers: 'en-US', timeZone });
      expect([formatDate('2026-11-18', NOW), formatExact('2026-11-18')]).toEqual(['18 Nov', '18 Nov 2026']);
    }
  });
});
