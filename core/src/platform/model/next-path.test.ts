import { describe, expect, it } from 'vitest';
import { nextPathOf } from './next-path.ts';

const HOSTILE = [
  'https://evil.example/',
  '//evil.example/',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/.//evil.example',
  '/%2e//evil.example',
  '/..//evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,x',
  'evil.example',
  ' //evil.example',
  'http:/evil.example',
  '',
];

describe('nextPathOf', () => {
  it.each(HOSTILE)('stays on this site for %j', (wanted) => {
    expect(nextPathOf(wanted)).toBe('/');
  });

  it.each([
    ['/findings', '/findings'],
    ['/findings?filters[severity]=high&search=a%20b', '/findings?filters[severity]=high&search=a%20b'],
    ['/findings/finding-details/1#where', '/findings/finding-details/1#where'],
    ['/a@evil.example', '/a@evil.example'],
    ['/x?next=//evil.example', '/x?next=//evil.example'],
  ])('keeps %j', (wanted, expected) => {
    expect(nextPathOf(wanted)).toBe(expected);
  });

  it('goes home where nothing is wanted', () => {
    expect(nextPathOf(null)).toBe('/');
  });
});
