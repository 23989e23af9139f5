import { afterEach, expect, test } from 'vitest';
import remediation from '../../../languages/de/remediation.json';
import { formatDecimal } from '../../platform/ui/display/formats.ts';
import { setLanguage } from '../../platform/ui/language/translate.ts';
import { fixLabel } from './fix-label.ts';

afterEach(() => setLanguage('en', undefined, formatDecimal));

/** As `server/fixes/group-fixes.ts` writes them. */
test.each([
  ['Upgrade stdlib go1.20 → 1.22.7', 'stdlib go1.20 → 1.22.7 aktualisieren'],
  ['Upgrade express-jwt to 8.4.1', 'express-jwt auf 8.4.1 aktualisieren'],
  ['Rotate each AWS access key', 'AWS access key überall ersetzen'],
  ['Set resource limits', 'Set resource limits'],
])('%s is read in the language of its reader', (english, german) => {
  expect(fixLabel(english)).toBe(english);
  setLanguage('de', remediation, formatDecimal);
  expect(fixLabel(english)).toBe(german);
});
