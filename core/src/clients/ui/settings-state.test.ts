import { afterEach, expect, test } from 'vitest';
import clients from '../../../languages/de/clients.json';
import platform from '../../../languages/de/platform.json';
import { formatDecimal } from '../../platform/ui/display/formats.ts';
import { setLanguage } from '../../platform/ui/language/translate.ts';
import { SETTING_STATES } from '../model/settings-state.ts';
import { stateText } from './settings-state.ts';

afterEach(() => setLanguage('en', undefined, formatDecimal));

test('every state is said in words, and in German in other ones', () => {
  const said = () => SETTING_STATES.map((state) => stateText([{ state, count: 3, total: 7 }]));
  const english = said();
  expect(new Set(english).size).toBe(SETTING_STATES.length);
  setLanguage('de', { ...platform, ...clients }, formatDecimal);
  const german = said();
  expect(german.filter((text) => english.includes(text))).toEqual([]);
});

test('several are joined, and one of a kind is not many', () => {
  expect(stateText([{ state: 'scans_weekly' }, { state: 'tools_excluded', count: 2 }])).toBe(
    'Every week and 2 tools excluded',
  );
  expect(stateText([{ state: 'people', count: 1 }])).toBe('1 person');
  expect(stateText([{ state: 'parts_set', count: 3, total: 5 }])).toBe('3 of 5 set');
});
