import fc from 'fast-check';
import semver from 'semver';
import { describe, expect, it } from 'vitest';
import { upgradePath } from './upgrade-path.ts';

const pathOf = (ecosystem: string | null, version: string | null, ...fixes: (string | null)[]) =>
  upgradePath(
    { ecosystem, version },
    fixes.map((fixed_version) => ({ fixed_version })),
  );
const path = (version: string | null, ...fixes: (string | null)[]) => pathOf(null, version, ...fixes);

describe('upgrade path', () => {
  it('is the lowest version that fixes everything', () => {
    expect(path('4.17.1', '4.17.3', '4.18.0', '4.17.2')).toEqual({
      version: '4.18.0',
      covers: 3,
      unfixed: 0,
      incomparable: 0,
      is_major: false,
    });
  });

  it('compares numbers, not letters', () => expect(path('1.0.0', '1.9.0', '1.10.0').version).toBe('1.10.0'));

  it('stays in its line of releases where that has a fix', () => {
    expect(path('2.9.1', '2.9.10, 3.1.0')).toMatchObject({ version: '2.9.10', is_major: false });
    expect(path('2.9.1', '2.9.10, 3.1.0', '3.0.5')).toMatchObject({ version: '3.1.0', is_major: true });
    expect(path('3.0.0', '2.9.10 || 3.1.0').version).toBe('3.1.0');
    expect(path('1.2.0', '1.2.5, 1.4.1', '1.3.0').version).toBe('1.4.1');
  });

  it.each([
    ['pypi', '1.0', ['1.1.post1', '1.1'], '1.1.post1'],
    ['pypi', '4.2', ['5.0rc1', '5.0'], '5.0'],
    ['maven', '2.9.1', ['2.9.10.8', '2.9.10.7'], '2.9.10.8'],
    ['maven', '5.1.0.RELEASE', ['5.2.1.RELEASE', '5.2.0.RELEASE'], '5.2.1.RELEASE'],
    ['gem', '6.0.0', ['6.0.3.1', '6.0.3'], '6.0.3.1'],
    ['go', 'v0.1.0', ['v0.17.0', '0.7.0'], 'v0.17.0'],
    ['composer', '1.0.0', ['1.0.1-patch1', '1.0.1'], '1.0.1-patch1'],
  ] as const)('orders versions as %s does', (ecosystem, version, fixes, wanted) => {
    expect(pathOf(ecosystem, version, ...fixes)).toMatchObject({ version: wanted, covers: 2, incomparable: 0 });
  });

  it('compares no versions of packages of a system', () => {
    expect(pathOf('deb', '2.36.1-8', '2.36.1-8+deb11u1', '2.36.1-8+deb11u2')).toMatchObject({
      version: null,
      incomparable: 2,
    });
  });

  it('says how many findings have no known fix', () => {
    expect(path('1.0.0', null, '1.0.1', '')).toMatchObject({ version: '1.0.1', covers: 1, unfixed: 2 });
    expect(path('1.0.0', null)).toEqual({ version: null, covers: 0, unfixed: 1, incomparable: 0, is_major: false });
    expect(path('1.0.0').version).toBeNull();
  });

  it('does not compare what it cannot', () => {
    expect(path('1:2.3-4', '1:2.3-5', '2:1.0')).toMatchObject({ version: null, incomparable: 2 });
    expect(path('1:2.3-4', '1:2.3-5', '1:2.3-5')).toMatchObject({ version: '1:2.3-5', covers: 2, incomparable: 0 });
    expect(path('2.9.1.1', '2.9.1.2', '2.9.2')).toMatchObject({ version: '2.9.2', covers: 1, incomparable: 1 });
  });

  it.each([
    ['v1.2.3', '1.2.3'],
    ['>=1.2.3', '1.2.3'],
    ['4.17', '4.17'],
    ['1.0.0-beta.2', '1.0.0-beta.2'],
  ])('reads %s', (text, wanted) => expect(path('0.1.0', text, text).version).toBe(wanted));

  it('never names a version that is lower than the present one', () => {
    expect(path('5.0.0', '4.0.1').version).toBeNull();
  });

  it('fixes all single fixes, with the lowest such version', () => {
    const version = fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3)).map((parts) => parts.join('.'));
    fc.assert(
      fc.property(fc.array(version, { minLength: 1, maxLength: 6 }), (fixes) => {
        expect(path('0.0.0', ...fixes).version).toBe(semver.rsort([...fixes])[0]);
      }),
    );
  });

  it('survives any text', () => {
    fc.assert(
      fc.property(fc.option(fc.string()), fc.array(fc.option(fc.string())), (present, fixes) => {
        const found = path(present, ...fixes);
        expect(found.covers + found.unfixed + found.incomparable).toBeLessThanOrEqual(fixes.length);
      }),
    );
  });
});
