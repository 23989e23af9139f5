import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatLicenseExpression, type LicenseExpression, parseLicenseExpression } from './spdx-expression.ts';

const id = fc
  .stringMatching(/^(?:DocumentRef-[a-z]{1,3}:LicenseRef-)?[A-Za-z0-9][A-Za-z0-9.-]{0,11}$/)
  .filter((word) => !/^(?:and|or|with)$/i.test(word));
const license: fc.Arbitrary<LicenseExpression> = fc
  .record({ id, isOrLater: fc.boolean(), exception: fc.option(id, { nil: undefined }) })
  .map(({ exception, ...rest }) => ({
    kind: 'license',
    ...rest,
    ...(exception === undefined ? {} : { exception }),
  }));
const expression = fc.letrec<{ tree: LicenseExpression }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    license,
    fc
      .tuple(
        fc.constantFrom('and' as const, 'or' as const),
        tie('tree'),
        fc.array(tie('tree'), { minLength: 1, maxLength: 3 }),
      )
      .map(([kind, first, rest]): LicenseExpression => ({ kind, parts: [first, ...rest] })),
  ),
})).tree;

const written = (text: string): string | undefined => {
  const parsed = parseLicenseExpression(text);
  return parsed === undefined ? undefined : formatLicenseExpression(parsed);
};

describe('SPDX expressions', () => {
  it('come back as they were written', () => {
    fc.assert(
      fc.property(expression, (tree) => {
        expect(parseLicenseExpression(formatLicenseExpression(tree))).toEqual(tree);
      }),
    );
  });

  it.each([
    ['MIT', 'MIT'],
    ['(MIT)', 'MIT'],
    ['MIT or Apache-2.0 AND ISC', 'MIT OR (Apache-2.0 AND ISC)'],
    ['(MIT OR Apache-2.0) AND ISC', '(MIT OR Apache-2.0) AND ISC'],
    ['GPL-2.0+ WITH Classpath-exception-2.0', 'GPL-2.0+ WITH Classpath-exception-2.0'],
    ['  ( LicenseRef-1\tAND Apache-2.0 ) ', 'LicenseRef-1 AND Apache-2.0'],
  ])('%s', (text, wanted) => expect(written(text)).toBe(wanted));

  it.each([
    '',
    ' ',
    '()',
    'MIT OR',
    'OR MIT',
    'MIT MIT',
    'MIT AND OR ISC',
    '(MIT',
    'MIT)',
    'MIT WITH',
    'Apache License, 2.0',
    'a/b',
    'x++',
  ])('is none: "%s"', (text) => expect(parseLicenseExpression(text)).toBeUndefined());

  it('any text is read or refused, never thrown at', () => {
    const soup = fc.array(fc.constantFrom('(', ')', 'MIT', 'AND', 'or', 'WITH', '+', ' ', '漏', '\0'), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          soup.map((parts) => parts.join(' ')),
        ),
        (text) => void written(text),
      ),
    );
  });

  it('refuses what is too deep or too long instead of overflowing', () => {
    const nested = (depth: number) => `${'('.repeat(depth)}MIT${')'.repeat(depth)}`;
    expect(written(nested(50))).toBe('MIT');
    expect(written(nested(51))).toBeUndefined();
    expect(written('('.repeat(1_000_000))).toBeUndefined();
    expect(written(Array.from({ length: 1000 }, () => 'MIT').join(' OR '))).toHaveLength(6996);
    expect(written('MIT OR '.repeat(1_000_000))).toBeUndefined();
  });
});
