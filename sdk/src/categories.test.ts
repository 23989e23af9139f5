import { expect, it } from 'vitest';
import { CATEGORIES, connectorAddress, isCategoryKey } from './categories.ts';

it('has the 17 categories of specification §9', () => {
  expect(Object.keys(CATEGORIES)).toHaveLength(17);
  expect(isCategoryKey('scm-security')).toBe(true);
  expect(isCategoryKey('toString')).toBe(false);
});

it('makes the address of a card from category and title', () => {
  expect(connectorAddress('sast', 'OpenGrep')).toBe('sast/opengrep');
  expect(connectorAddress('ci-cd-posture', 'KICS CI/CD')).toBe('ci-cd-posture/kicsci/cd');
  expect(connectorAddress('sca', 'OWASP Dependency-Check')).toBe('sca/owaspdependency-check');
});
