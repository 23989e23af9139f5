import { expect, test } from 'vitest';
import { visibleText, withVisibleText } from './visible-text.ts';

test('characters that turn the direction of text are shown as escapes', () => {
  expect(visibleText('src/\u202Egpj.exe')).toBe('src/\\u202Egpj.exe');
  expect(visibleText('\u061C\u200E\u200F\u202A\u202B\u202C\u202D\u2066\u2067\u2068\u2069')).toBe(
    '\\u061C\\u200E\\u200F\\u202A\\u202B\\u202C\\u202D\\u2066\\u2067\\u2068\\u2069',
  );
});

test('writing from right to left stays what it is', () => {
  expect(visibleText('שלום عالم ü 漏洞')).toBe('שלום عالم ü 漏洞');
});

test('every text of a row is made visible, what is excepted and what is none stays', () => {
  const row = {
    title: 'a\u202Eb',
    tags: ['\u2066'],
    notes: '\u200F',
    line: 3,
    none: null,
    parts: [{ reason: '\u202D' }],
  };
  expect(withVisibleText(row, ['notes'])).toEqual({
    title: 'a\\u202Eb',
    tags: ['\\u2066'],
    notes: '\u200F',
    line: 3,
    none: null,
    parts: [{ reason: '\\u202D' }],
  });
  const plain = { title: 'a', tags: [] };
  expect(withVisibleText(plain)).toBe(plain);
});
