import { afterEach, expect, test } from 'vitest';
import findings from '../../../../languages/de/findings.json';
import { formatDecimal, setFormats } from '../../../platform/ui/display/formats.ts';
import { setLanguage } from '../../../platform/ui/language/translate.ts';
import { reasonText } from './score-reason.ts';

/** As `prioritisation/model/score-priority.ts` writes them. */
const REASONS = [
  ['CVSS 7.5', 'CVSS 7,5'],
  ['Known to be exploited, CISA 10 Oct 2023', 'Bekannt ausgenutzt, CISA 10. Okt. 2023'],
  ['EPSS 94.3%, above 99% of all', 'EPSS 94,3 %, höher als 99 % aller'],
  ['EPSS <1%, above 40% of all, 22 Aug 2026', 'EPSS <1 %, höher als 40 % aller, 22. Aug. 2026'],
] as const;

afterEach(() => {
  setLanguage('en', undefined, formatDecimal);
  setFormats({ language: 'en', numbers: 'en-US', timeZone: undefined });
});

test.each(REASONS)('%s is read with the figures and the day of its reader', (english, german) => {
  expect(reasonText(english)).toBe(english);
  setLanguage('de', findings, formatDecimal);
  setFormats({ language: 'de', numbers: 'de', timeZone: 'Europe/Berlin' });
  expect(reasonText(english).replaceAll('\u00a0', ' ')).toBe(german);
});
