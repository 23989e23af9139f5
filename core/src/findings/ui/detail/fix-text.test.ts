import { afterEach, describe, expect, test } from 'vitest';
import prioritisation from '../../../../languages/de/prioritisation.json';
import { formatDecimal } from '../../../platform/ui/display/formats.ts';
import { setLanguage } from '../../../platform/ui/language/translate.ts';
import { estimatedMitigation } from '../../../prioritisation/model/advice.ts';
import { adviceText, firstSentence, isEstimate, upgradeText } from './fix-text.ts';

test('an upgrade names the nearest fixed version', () => {
  const known = { component: 'stdlib', component_version: 'go1.20', fixed_version: '1.19.8, 1.20.3' };
  expect(upgradeText(known)).toBe('Upgrade stdlib go1.20 → 1.19.8');
  expect(upgradeText({ ...known, component_version: null })).toBe('Upgrade stdlib to 1.19.8');
  expect(upgradeText({ ...known, fixed_version: null })).toBeUndefined();
  expect(upgradeText({ ...known, component: null })).toBeUndefined();
});

test('the first sentence of an advice is plain text of one line', () => {
  expect(firstSentence('Use **parameters**, e.g. `?`.\nNever put text together.')).toBe('Use parameters, e.g. ?.');
  expect(firstSentence('Estimate, the tool gives no advice. Use it. Or not.')).toBe('Use it.');
  expect(firstSentence('Use parameters')).toBe('Use parameters');
  expect(firstSentence('x'.repeat(500))).toHaveLength(160);
  expect([firstSentence(null), firstSentence(' \n')]).toEqual([undefined, undefined]);
});

describe('an advice', () => {
  const ours = estimatedMitigation(
    {
      ...{ type: 'SCA', cwe: [], component: 'lodash', componentVersion: '4.17.20', fixedVersion: '4.17.21' },
      ...{ isVulnerableComponent: true, owasp2025: null, owaspCicd: [] },
    },
    { cwe: () => undefined },
  );
  const german = 'Aktualisieren Sie lodash von 4.17.20 auf 4.17.21, und führen Sie die Tests aus.';
  afterEach(() => setLanguage('en', undefined, formatDecimal));

  test('of ours is read in the language of its reader', () => {
    expect(adviceText(ours)).toBe(ours);
    setLanguage('de', prioritisation, formatDecimal);
    expect(isEstimate(ours)).toBe(true);
    expect(adviceText(ours)).toBe(`Schätzung, das Tool gibt keinen Rat. ${german}`);
    expect(firstSentence(ours)).toBe(german);
  });

  test('of a tool stays as the report has it, even where a table has the same words', () => {
    setLanguage('de', prioritisation, formatDecimal);
    expect(adviceText('Update the package, or replace it.')).toBe('Update the package, or replace it.');
    expect(firstSentence('Update the package, or replace it.')).toBe('Update the package, or replace it.');
  });
});
