import { describe, expect, test } from 'vitest';
import { loadFrameworks } from './framework-data.ts';
import { deliveredData } from './reference-data.ts';

const frameworks = await loadFrameworks();

test('nine frameworks are delivered, each with a source and a day', () => {
  expect(frameworks.list.map(({ id }) => id).sort()).toEqual([
    'asvs-5',
    'cis-controls-8',
    'dora',
    'iso-27001',
    'nis2',
    'nist-800-53',
    'nist-ssdf',
    'pci-dss-4',
    'soc-2',
  ]);
});

describe.each(frameworks.list)('$name', ({ id, controls }) => {
  test('names each control once, and says what bears on it', () => {
    const ids = controls.map((control) => control.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const control of controls) {
      const isCovered = control.rules.length > 0 || (control.checks ?? []).length > 0;
      expect([control.id, isCovered]).toEqual([control.id, true]);
      expect(frameworks.match(`${id}:${control.id}`)?.key).toBe(`${id}:${control.id}`);
    }
  });

  test('names weaknesses of the enumeration only', async () => {
    const known = new Set((await deliveredData()).weaknesses.map((weakness) => weakness.id));
    const named = controls.flatMap(({ rules }) =>
      rules.flatMap(({ cwe = [], exactCwe = [] }) => [...cwe, ...exactCwe]),
    );
    expect(named.filter((cwe) => !known.has(cwe))).toEqual([]);
  });

  test('uses our own short words', () => {
    for (const { text } of controls) {
      expect(text.en.length).toBeLessThan(90);
      expect(text.de.length).toBeLessThan(110);
    }
  });
});

test('a weakness stands for those below it, unless it is named alone', () => {
  const injection = frameworks.match('asvs-5:V1.2')?.weaknesses[0]?.cwe ?? [];
  // SQL injection and, below it, through Hibernate
  expect(injection).toEqual(expect.arrayContaining([74, 89, 564]));
  const headers = frameworks.match('asvs-5:V3.4')?.weaknesses[0]?.cwe ?? [];
  expect(headers).toContain(693);
  expect(headers).not.toContain(311);
});

test('a framework is any of its controls; what is unknown matches nothing', () => {
  expect(frameworks.match('nis2')?.families).toEqual(expect.arrayContaining(['SCA', 'SAST']));
  expect(frameworks.match('nis2')?.checks).toContain('required-reviews');
  expect(frameworks.match('hipaa')).toBeUndefined();
});
