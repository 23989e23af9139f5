import { render } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { plural, setLanguage, t } from './translate.ts';
import { Words } from './words.tsx';

const inEnglish = (value: number) => value.toLocaleString('en-US');
const german = () =>
  setLanguage(
    'de',
    {
      Save: 'Speichern',
      '{name} was removed': '{name} wurde entfernt',
      '{count} findings': { one: '{count} Befund', other: '{count} Befunde' },
      'Read <a>the guide</a>, {name}.': '{name}, lies <a>die Anleitung</a>.',
    },
    (value) => value.toLocaleString('de-DE'),
  );
const guide = <Words of="Read <a>the guide</a>, {name}." a={(text) => <b>{text}</b>} name={<i>Ada</i>} />;

afterEach(() => setLanguage('en', undefined, inEnglish));

describe('texts of the interface', () => {
  it('are English without a table', () => {
    expect(t('Save')).toBe('Save');
    expect(t('{name} was removed', { name: 'Ada' })).toBe('Ada was removed');
    expect([0, 1, 1200].map((count) => plural(count, '{count} finding', '{count} findings'))).toEqual([
      '0 findings',
      '1 finding',
      '1,200 findings',
    ]);
    expect(render(guide).container.innerHTML).toBe('Read <b>the guide</b>, <i>Ada</i>.');
  });

  it('come from the table of a language, in its own order and its own forms', () => {
    german();
    expect(t('Save')).toBe('Speichern');
    expect(t('{name} was removed', { name: 'Ada' })).toBe('Ada wurde entfernt');
    expect([1, 1200].map((count) => plural(count, '{count} finding', '{count} findings'))).toEqual([
      '1 Befund',
      '1.200 Befunde',
    ]);
    expect(render(guide).container.innerHTML).toBe('<i>Ada</i>, lies <b>die Anleitung</b>.');
  });

  it('stay English where a table has none, and keep values that look like places', () => {
    german();
    expect(t('Delete')).toBe('Delete');
    expect(t('{name} was removed', { name: '{name} $& <a>' })).toBe('{name} $& <a> wurde entfernt');
    expect(t('{name} was removed', { name: 'constructor' })).toBe('constructor wurde entfernt');
    // names that every object has
    expect(t('constructor')).toBe('constructor');
  });
});
