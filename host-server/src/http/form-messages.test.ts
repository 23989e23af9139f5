import { readValues } from '@breakwater/core/connectors/model/credential-values.ts';
import type { CredentialField } from '@breakwater/sdk';
import { describe, expect, it } from 'vitest';
import { type Draft, issueOf, valueFrom } from '../../../core/src/connectors/ui/credentials/form-issues.ts';
import { openRegistry } from '../plugins/open-registry.ts';
import { checkSchema } from './validation.ts';

const serverSays = (field: CredentialField, value: unknown): string | undefined => {
  const { issues } = readValues({ type: 'object', properties: { field } }, { field: value }, checkSchema);
  return issues.length === 0 ? undefined : issues.map(({ msg }) => msg).join(' ');
};

const CASES: [string, CredentialField, Draft][] = [
  ['a text', { type: 'string' }, ' x '],
  ['a text that is too short', { type: 'string', minLength: 8 }, 'short'],
  ['a text that is too long', { type: 'string', maxLength: 3 }, 'four'],
  ['letters beyond the first plane count once', { type: 'string', maxLength: 3 }, '🚢🚢🚢'],
  ['a text of the wrong form', { type: 'string', pattern: '^AKIA' }, 'BKIA'],
  ['two errors at once', { type: 'string', maxLength: 3, pattern: '^a' }, 'bbbb'],
  ['length and form of a short one', { type: 'string', minLength: 5, pattern: '^a' }, 'b'],
  ['an address', { type: 'string', format: 'uri' }, 'https://git.example.com/a?b=c'],
  ['no address', { type: 'string', format: 'uri' }, 'git.example.com'],
  ['a host', { type: 'string', format: 'hostname' }, 'git.example.com'],
  ['no host', { type: 'string', format: 'hostname' }, 'git example'],
  ['an e-mail address', { type: 'string', format: 'email' }, 'a@b.example'],
  ['no e-mail address', { type: 'string', format: 'email' }, 'a.b.example'],
  ['a day', { type: 'string', format: 'date' }, '2026-11-21'],
  ['no day', { type: 'string', format: 'date' }, '21.11.2026'],
  ['a multiline text', { type: 'string', format: 'multiline' }, 'a\nb'],
  ['a choice', { type: 'string', enum: ['http', 'https'] }, 'https'],
  ['no choice', { type: 'string', enum: ['http', 'https'] }, 'ftp'],
  ['a number', { type: 'number', minimum: 0.5 }, '0.75'],
  ['a number that is too small', { type: 'number', minimum: 0.5 }, '0.25'],
  ['a port that is too large', { type: 'integer', minimum: 1, maximum: 65_535 }, '84430'],
  ['a broken integer', { type: 'integer' }, '1.5'],
  ['no number', { type: 'number' }, 'seven'],
  ['no integer', { type: 'integer', minimum: 1 }, 'seven'],
  ['a switch', { type: 'boolean' }, false],
  ['a list', { type: 'array', items: { type: 'string' } }, ['a', ' ', 'b']],
  ['a list that is too long', { type: 'array', items: { type: 'string' }, maxItems: 1 }, ['a', 'b']],
  ['pairs', { type: 'object', additionalProperties: { type: 'string' } }, [{ key: ' a ', value: 'b' }]],
  ['a text beyond the limit', { type: 'string' }, 'x'.repeat(65_537)],
];

describe('the form in the browser', () => {
  it.each(CASES)('says of %s what the server says', (_name, field, draft) => {
    const value = valueFrom(field, draft);
    expect(issueOf(field, value)).toBe(serverSays(field, value));
  });

  it('refuses no choice of a list that the server takes, and says why of the others', () => {
    const field = { type: 'array', items: { type: 'string', enum: ['a', 'b'] } } as const;
    expect(issueOf(field, ['a', 'b'])).toBeUndefined();
    expect(serverSays(field, ['a', 'b'])).toBeUndefined();
    expect(issueOf(field, ['a', 'c'])).toBe(serverSays(field, ['a', 'c']));
  });
});

const TRIES = [
  'x',
  'AKIAIOSFODNN7EXAMPLE',
  'https://example.com',
  'a b',
  '443',
  '-1',
  'x'.repeat(5000),
  '{"a":1}',
  'ü',
];

it('refuses nothing in any entry of the catalogue that the server would take', async () => {
  const { registry } = await openRegistry({ server: false, parsers: false });
  const fields = registry
    .entries()
    .flatMap(({ connector: { id, credentials } }) =>
      Object.entries(credentials.properties).map(([name, field]) => ({ place: `${id}.${name}`, field })),
    );
  expect(fields.length).toBeGreaterThan(20);
  const stricter = fields.flatMap(({ place, field }) =>
    field.type === 'array' || field.type === 'object' || field.type === 'boolean'
      ? []
      : TRIES.flatMap((text) => {
          const value = valueFrom(field, text);
          const isStricter = issueOf(field, value) !== undefined && serverSays(field, value) === undefined;
          return isStricter ? [`${place} of "${text.slice(0, 30)}"`] : [];
        }),
  );
  expect(stricter).toEqual([]);
});
