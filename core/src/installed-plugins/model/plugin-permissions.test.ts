import fc from 'fast-check';
import { expect, it } from 'vitest';
import { asksForMore, isSamePermissions, morePermissions, versionInUse } from './plugin-permissions.ts';

const version = (
  number: number,
  hosts: string[],
  more: { reveals?: string[]; views?: string[]; publisher?: string } = {},
) => ({
  number,
  hosts,
  reveals: more.reveals ?? [],
  views: more.views ?? [],
  publisher: more.publisher ?? 'Acme',
});
const approval = (hosts: string[], heldAt: number | null = null) => ({ ...version(0, hosts), heldAt });

it('says what of a version nobody approved', () => {
  const wanted = version(2, ['a.example', 'b.example'], { reveals: ['key'], views: ['board'], publisher: 'Other' });
  expect(morePermissions(version(1, ['a.example', 'c.example']), wanted)).toEqual({
    hosts: ['b.example'],
    reveals: ['key'],
    views: ['board'],
    publisher: 'Other',
  });
});

it.each([
  [
    'the newest that asks for no more',
    [version(1, ['a']), version(2, ['a']), version(3, ['a', 'b'])],
    approval(['a']),
    2,
  ],
  ['one that asks for less', [version(1, ['a', 'b']), version(2, ['a'])], approval(['a', 'b']), 2],
  ['the one that an admin went back to', [version(1, ['a']), version(2, ['a'])], approval(['a'], 1), 1],
  ['another, where that one is gone', [version(2, ['a'])], approval(['a'], 1), 2],
  ['none of another publisher', [version(1, ['a'], { publisher: 'Other' })], approval(['a']), null],
  ['none that reads a secret unasked', [version(1, ['a'], { reveals: ['key'] })], approval(['a']), null],
  ['none that shows a page unasked', [version(1, ['a'], { views: ['board'] })], approval(['a']), null],
  ['not the one gone back to, where it asks for more', [version(1, ['a', 'b'])], approval(['a'], 1), null],
])('uses %s', (_, versions, approved, number) => {
  expect(versionInUse(versions, approved)?.number ?? null).toBe(number);
});

it('never uses what was not approved, whatever there is', () => {
  const names = fc.subarray(['a', 'b', 'c', 'd']);
  const permissions = { hosts: names, reveals: names, views: names, publisher: fc.constantFrom('Acme', 'Other') };
  const versions = fc.uniqueArray(fc.record({ number: fc.integer({ min: 1, max: 9 }), ...permissions }), {
    selector: ({ number }) => number,
  });
  const approvals = fc.record({ ...permissions, heldAt: fc.option(fc.integer({ min: 1, max: 9 })) });
  fc.assert(
    fc.property(versions, approvals, (all, approved) => {
      const used = versionInUse(all, approved);
      if (used !== null) expect(asksForMore(approved, used)).toBe(false);
      else expect(all.every((one) => asksForMore(approved, one))).toBe(true);
    }),
  );
});

it('compares what was seen with what is asked for in both directions', () => {
  const wanted = version(1, ['a', 'b']);
  expect(isSamePermissions({ ...wanted, hosts: ['b', 'a'] }, wanted)).toBe(true);
  expect(isSamePermissions({ ...wanted, hosts: ['a'] }, wanted)).toBe(false);
  expect(isSamePermissions({ ...wanted, hosts: ['a', 'b', 'c'] }, wanted)).toBe(false);
  expect(isSamePermissions({ ...wanted, views: ['board'] }, wanted)).toBe(false);
  expect(isSamePermissions({ ...wanted, publisher: 'Other' }, wanted)).toBe(false);
});
