import { expect, it } from 'vitest';
import { checkLanguages, untranslated } from './languages.ts';

const GERMAN = new Map([
  [
    'de',
    {
      table: { 'There is no ship {name}.': 'Es gibt kein Schiff {name}.', 'It sank.': 'Es ist gesunken.' },
      issues: ['"Gone" is no text of the plugin'],
      missing: ['A', 'B', 'C', 'D'],
    },
  ],
]);

it('fails on what the host would leave out, and notes what is missing', () => {
  const { issues, notes } = checkLanguages(GERMAN);
  expect(issues).toMatchObject([{ what: '"Gone" is no text of the plugin', where: 'languages, de' }]);
  expect(notes).toEqual(['languages/de.json lacks "A", "B", "C", and 1 more']);
});

it('notes sentences of errors that have no entry', () => {
  expect(untranslated(GERMAN, ['There is no ship Ada.', 'It sank.'])).toEqual([]);
  const [note] = untranslated(GERMAN, ['There is no ship Ada', 'It sank. It did.', 'It sank.']);
  expect(note).toMatch(
    /^languages\/de\.json has no entry for what errors say.*: "There is no ship Ada", "It sank\. It did\."$/,
  );
});
