import { describe, expect, test } from 'vitest';
import { say } from '../model/sentence.ts';
import { languageOfHeader, translatorFor } from './languages.ts';

const nobody = { language: null, time_zone: null, number_format: null };

describe('what is sent to a person', () => {
  const sentence = say('It is refused from {moment} on. Make a new one and give it to whatever calls with it.', {
    moment: { at: '2026-11-24T12:30:00Z' },
  });
  test('is in their language and time zone', () => {
    const reader = { ...nobody, language: 'de-AT', time_zone: 'Pacific/Auckland' };
    expect(translatorFor(reader).say(sentence)).toMatch(/^Ab 25\.11\.2026, 01:30:00 .* wird es abgelehnt\./);
  });
  test('and in their number format', () => {
    const more = say('And {more} more.', { more: 1234 });
    expect(translatorFor({ ...nobody, language: 'de' }).say(more)).toBe('Und 1.234 weitere.');
    expect(translatorFor({ ...nobody, language: 'de', number_format: 'en-US' }).say(more)).toBe('Und 1,234 weitere.');
    expect(translatorFor({ ...nobody, number_format: 'de-DE' }).say(more)).toBe('And 1.234 more.');
  });
  test.each([null, 'en', 'xx', '../de'])('is English where nothing else is known: %s', (language) => {
    expect(translatorFor({ ...nobody, language }).say(sentence)).toContain('from 2026-11-24 12:30 UTC on');
  });
});

test.each([
  [undefined, null],
  ['', null],
  ['fr, ja;q=0.5', null],
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['en-GB,de;q=0.9', 'en'],
  ['fr;q=1, de;q=0.3, en;q=0.2', 'de'],
  ['en;q=0.1, de', 'de'],
  [`de${','.repeat(5000)}`, 'de'],
])('the language of a browser: %s', (header, language) => expect(languageOfHeader(header)).toBe(language));
