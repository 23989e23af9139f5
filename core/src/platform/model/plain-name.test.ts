import { expect, test } from 'vitest';
import { nameFault, organizationNameIssues } from './plain-name.ts';

test.each([
  'grace',
  ' Grace Hopper ',
  'Müller & Söhne AG',
  '株式会社',
  'می\u200cخواهم',
  'O’Neill-Śmith',
  '7',
  '👩\u200d🚀',
])('%j is a name', (name) => {
  expect(nameFault(name)).toBeUndefined();
});

test.each([
  ['', 'missing'],
  ['   ', 'missing'],
  ['\u00a0\u2003', 'missing'],
  ['\u200d', 'missing'],
  ['\u200b', 'hidden'],
  ['ad\u200bmin', 'hidden'],
  ['nimda\u202e', 'hidden'],
  ['two\nlines', 'hidden'],
  ['two\u2028lines', 'hidden'],
  ['a\0b', 'hidden'],
  ['half \ud800', 'hidden'],
  ['soft\u00adhyphen', 'hidden'],
])('%j is none: %s', (name, fault) => {
  expect(nameFault(name)).toBe(fault);
});

test('what is wrong stands beside its field', () => {
  expect(organizationNameIssues(' ')).toEqual([
    { loc: ['body', 'organization_name'], msg: 'Name your organisation.', type: 'missing' },
  ]);
  expect(organizationNameIssues('a\tb')).toMatchObject([{ loc: ['body', 'organization_name'], type: 'name' }]);
});
