import { expect, test } from 'vitest';
import { firstSentence, upgradeText } from './fix-text.ts';

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
