import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LICENSE_CLASSES } from '../model/license-classes.ts';
import { CORRECTED_CLASS, NAME_CLASS } from '../model/license-tables.ts';
import { licenseRules } from './license-table.ts';

const rules = licenseRules();

describe('licence classes', () => {
  it.each([
    ['MIT', 'permissive'],
    ['mit', 'permissive'],
    ['Unlicense', 'permissive'],
    ['UNLICENSED', 'proprietary'],
    ['CECILL-B', 'permissive'],
    ['MPL-2.0', 'weak_copyleft'],
    ['LGPL-2.1+', 'weak_copyleft'],
    ['LGPL-2.1-or-later', 'weak_copyleft'],
    ['GPL-2.0+', 'strong_copyleft'],
    ['GPL-3.0-only', 'strong_copyleft'],
    ['GPL-2.0-only WITH Classpath-exception-2.0', 'weak_copyleft'],
    ['GPL-2.0-with-classpath-exception', 'weak_copyleft'],
    ['GPL-2.0-only WITH Unheard-of-exception', 'strong_copyleft'],
    ['AGPL-3.0-or-later', 'network_copyleft'],
    ['OSL-3.0', 'network_copyleft'],
    ['SSPL-1.0', 'proprietary'],
    ['BUSL-1.1', 'proprietary'],
    ['LicenseRef-ours', 'unknown'],
    ['NOASSERTION', 'unknown'],
    ['SEE LICENSE IN LICENSE.md', 'unknown'],
    ['', 'unknown'],
  ])('%s is %s', (text, wanted) => expect(rules.classOf(text)).toBe(wanted));

  it.each([
    ['Apache License, Version 2.0', 'permissive'],
    ['The Apache Software License, Version 2.0', 'permissive'],
    ['The MIT License', 'permissive'],
    ['BSD 3-Clause License', 'permissive'],
    ['MIT/X11', 'permissive'],
    ['MIT/Apache-2.0', 'permissive'],
    ['GNU Lesser General Public License v2.1 or later', 'weak_copyleft'],
    ['Eclipse Public License 2.0', 'weak_copyleft'],
    ['GPL-3+', 'strong_copyleft'],
    ['GPLv2+', 'strong_copyleft'],
    ['GPL v2', 'strong_copyleft'],
    ['GNU Affero General Public License v3.0', 'network_copyleft'],
  ])('the name "%s" is %s', (text, wanted) => expect(rules.classOf(text)).toBe(wanted));

  it.each([
    ['MIT OR GPL-3.0-only', 'permissive'],
    ['MIT AND GPL-3.0-only', 'strong_copyleft'],
    ['GPL-3.0-only OR LicenseRef-x', 'strong_copyleft'],
    ['MIT AND LicenseRef-x', 'unknown'],
    ['GPL-3.0-only AND LicenseRef-x', 'strong_copyleft'],
    ['(MIT OR AGPL-3.0-only) AND (LGPL-3.0-only OR GPL-2.0-only)', 'weak_copyleft'],
  ])('%s is %s', (text, wanted) => expect(rules.classOf(text)).toBe(wanted));

  it('several entries of a component all hold; none is unknown', () => {
    expect(rules.classOfAll(['MIT', 'GPL-2.0-only'])).toBe('strong_copyleft');
    expect(rules.classOfAll(['MIT', 'ISC'])).toBe('permissive');
    expect(rules.classOfAll([])).toBe('unknown');
  });

  it('OR is never worse than a known part, AND never milder than any', () => {
    const rank = (text: string) => LICENSE_CLASSES.indexOf(rules.classOf(text));
    const known = fc.constantFrom('MIT', 'MPL-2.0', 'GPL-3.0-only', 'AGPL-3.0-only', 'BUSL-1.1');
    fc.assert(
      fc.property(known, known, (a, b) => {
        expect(rank(`${a} OR ${b}`)).toBe(Math.min(rank(a), rank(b)));
        expect(rank(`${a} AND ${b}`)).toBe(Math.max(rank(a), rank(b)));
      }),
    );
  });

  it('judges any text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        expect(LICENSE_CLASSES).toContain(rules.classOf(text));
      }),
    );
  });

  it('corrects only ids that the list has, and names by their plain form', () => {
    expect([...CORRECTED_CLASS.keys()].filter((id) => rules.spdxId(id) === undefined)).toEqual([]);
    for (const [name, licenseClass] of NAME_CLASS) expect([name, rules.classOf(name)]).toEqual([name, licenseClass]);
  });
});
