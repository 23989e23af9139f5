import { describe, expect, it } from 'vitest';
import { isBreakingStep, versionScheme } from './schemes.ts';
import { type Target, targetVersion } from './target-version.ts';

/** Versions in ascending order, as the ecosystem's own tool sorts them: `packaging` 26.2, maven-artifact 3.8, npm's semver. */
const ASCENDING: Readonly<Record<string, readonly string[]>> = {
  pypi: [
    '1.0.dev1',
    '1.0a1.dev1',
    '1.0a1',
    '1.0a2',
    '1.0b1',
    '1.0rc1',
    '1.0',
    '1.0+abc',
    '1.0+abc.5',
    '1.0+5',
    '1.0.post1.dev1',
    '1.0.post1',
    '1.0.1',
    '1.1',
    '1.10',
    '2023.7.22',
    '1!0.1',
  ],
  maven: [
    '1.0-alpha-1',
    '1.0-beta-1',
    '1.0-M1',
    '1.0-rc1',
    '1.0-SNAPSHOT',
    '1.0',
    '1.0-sp1',
    '1.0-jre',
    '1.0-1',
    '1.0.1',
    '1.1',
    '1.10',
    '2.9.10.8',
    '2.10.0',
    '5.2.0.RELEASE',
    '5.2.1.RELEASE',
    '31.1-android',
    '31.1-jre',
  ],
  golang: [
    'v0.0.0-20190308221718-c2843e01d9a2',
    'v0.0.0-20220722155237-a158d28d115b',
    'v0.17.0',
    'v1.2.3-rc.1',
    'v1.2.3',
    'v1.10.0',
    'v2.0.0+incompatible',
  ],
  gem: ['1.0.0.beta1', '1.0.0.rc1', '1.0.0', '1.0.0.1', '1.0.1', '1.10'],
  composer: [
    '1.0.0-dev',
    '1.0.0-alpha1',
    '1.0.0-beta2',
    '1.0.0-RC1',
    '1.0.0',
    '1.0.0-patch1',
    '1.0.1',
    'v1.10.0',
    '2.0',
  ],
  npm: ['1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-beta', '1.0.0', '1.0.10', '1.2', '1.10.0'],
};

const target = (ecosystem: string, version: string, fixed: string, ...others: (string | null)[]) => {
  const scheme = versionScheme(ecosystem);
  if (scheme === undefined) throw new Error('no scheme');
  const of = (id: string, fixedVersion: string | null) => ({
    id,
    component: { name: 'p', version, fixedVersion, purl: null, ecosystem },
  });
  return targetVersion(
    scheme,
    of('own', fixed),
    others.map((text, index) => of(`other${index}`, text)),
  );
};

describe('the order of versions', () => {
  it.each(Object.keys(ASCENDING))('of %s is that of its tool', (ecosystem) => {
    const scheme = versionScheme(ecosystem);
    const versions = ASCENDING[ecosystem] ?? [];
    expect(versions.filter((text) => scheme?.release(text) === undefined)).toEqual([]);
    for (const [index, left] of versions.entries()) {
      for (const [other, right] of versions.entries()) {
        const order = Math.sign(scheme?.compare(left, right) ?? 0);
        expect([left, right, order]).toEqual([left, right, Math.sign(index - other)]);
      }
    }
  });

  it.each([
    ['pypi', '1.0', '1.0.0'],
    ['pypi', '1.0-1', '1.0.post1'],
    ['pypi', 'v1.0alpha1', '1.0a1'],
    ['maven', '1', '1.0.0-ga'],
    ['maven', '1.0.Final', '1'],
    ['gem', '1.0.0', '1'],
    ['golang', '1.2.3', 'v1.2.3'],
    ['composer', 'v1.0', '1.0.0.0'],
  ])('of %s: %s is %s', (ecosystem, left, right) => {
    expect(versionScheme(ecosystem)?.compare(left, right)).toBe(0);
  });

  it.each(['', 'latest', 'abc', '>=1', '1.0 || 2', '__proto__'])('reads no version in %j', (text) => {
    for (const ecosystem of Object.keys(ASCENDING)) expect(versionScheme(ecosystem)?.release(text)).toBeUndefined();
  });

  it('reads no version in a text that never ends', () => {
    for (const ecosystem of Object.keys(ASCENDING)) {
      expect(versionScheme(ecosystem)?.release(`${'1.'.repeat(50_000)}x!`)).toBeUndefined();
      expect(versionScheme(ecosystem)?.release(`1.0${'-a'.repeat(50_000)}!`)).toBeUndefined();
    }
  });

  it('knows no ecosystem by a name of objects', () => {
    expect(['constructor', '__proto__', 'deb'].map(versionScheme)).toEqual([undefined, undefined, undefined]);
  });
});

describe('the version that an upgrade goes to', () => {
  it.each([
    ['stays in its line of releases', ['npm', '1.2.0', '1.2.5, 2.0.1'], '1.2.5', false],
    ['clears every advisory of the package', ['npm', '1.2.0', '1.2.5, 2.0.1', '1.3.0', '1.2.9'], '1.3.0', false],
    ['steps to another major only where no other fix is known', ['npm', '0.1.3', '6.0.0', '8.4.1'], '8.4.1', true],
    ['counts a minor step below 1.0 as one that may break', ['npm', '0.4.0', '0.5.1'], '0.5.1', true],
    ['does not so for modules of Go', ['golang', 'v0.5.0', 'v0.17.0'], 'v0.17.0', false],
    ['takes the nearest line that has a fix', ['npm', '1.20.0', '1.21.11, 1.22.4'], '1.21.11', false],
    [
      'takes a line without a fix of its own as vulnerable',
      ['npm', '1.20.0', '1.19.1, 1.22.4', '1.21.0'],
      '1.22.4',
      false,
    ],
    ['compares by the order of Python', ['pypi', '2.9', '2.10'], '2.10', false],
    ['reads the present version out of a range', ['npm', '^2.0.2', '2.0.4'], '2.0.4', false],
    ['reads operators of a fixed version', ['pypi', '1.0', '>= 1.4'], '1.4', false],
  ] as const)('%s', (_, [ecosystem, version, fixed, ...others], expected, isBreaking) => {
    expect(target(ecosystem, version, fixed, ...others)).toMatchObject({
      version: expected,
      isBreaking,
      clears: ['own', ...others.map((__, index) => `other${index}`)],
    });
  });

  it('leaves out of the closed ones what has no fix, or only one of a line that is not reached', () => {
    expect(target('npm', '1.0.0', '1.0.1', null, 'nonsense', '2.0.0')).toEqual({
      version: '2.0.0',
      isBreaking: true,
      clears: ['own', 'other2'],
    } satisfies Target);
  });

  it.each([
    ['no_fixed_version', ['npm', '1.0.0', '']],
    ['no_fixed_version', ['npm', '3.0.0', '1.0.1']],
    ['incomparable_versions', ['npm', '1.0.0', '< 2.0.0']],
    ['incomparable_versions', ['maven', '1.0', 'see vendor']],
  ] as const)('%s', (reason, [ecosystem, version, fixed]) => {
    expect(target(ecosystem, version, fixed)).toBe(reason);
  });

  it('is a step that may break by the first number, below 1.0 by the second', () => {
    const npm = versionScheme('npm');
    expect(npm && [isBreakingStep(npm, '1.0.0', '1.9.0'), isBreakingStep(npm, '1.9.0', '2.0.0')]).toEqual([
      false,
      true,
    ]);
  });
});
