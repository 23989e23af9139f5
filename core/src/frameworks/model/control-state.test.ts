import { describe, expect, test } from 'vitest';
import { controlStateOf, isNamed } from './control-state.ts';

describe('the state of a control', () => {
  test.each([
    [[true, true], 0, 'assessed'],
    [[true, false], 0, 'partly_assessed'],
    [[false, false], 3, 'partly_assessed'],
    [[false, false], 0, 'not_assessed'],
    [[], 0, 'not_assessed'],
  ] as const)('%j with %i findings is %s', (reported, findings, state) => {
    expect(controlStateOf(reported, findings)).toBe(state);
  });
});

describe('a framework named among the regulations', () => {
  const named = (aliases: string[], text: string) => isNamed({ aliases }, ['GDPR', text]);
  test.each([
    [['pci dss'], 'PCI-DSS v4.0.1'],
    [['iso iec 27001'], 'ISO/IEC 27001:2022'],
    [['dora'], 'EU DORA'],
    [['soc 2'], 'soc 2 Type II'],
    [['2022 2555'], 'Directive (EU) 2022/2555'],
  ])('%j is found in %s', (aliases, text) => expect(named(aliases, text)).toBe(true));

  test('a part of another word is not enough', () => {
    expect(named(['dora'], 'Dorado Act')).toBe(false);
    expect(isNamed({ aliases: ['dora'] }, [])).toBe(false);
  });
});
