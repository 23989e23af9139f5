import { describe, expect, it } from 'vitest';
import { defineConnector, isConfigured, monogram } from './connector.ts';
import type { CredentialSchema } from './credentials.ts';
import { requiredFieldsAreFilled, secretKeys } from './credentials.ts';

const github = defineConnector({
  id: 'github',
  title: 'GitHub',
  category: 'source-control',
  image: monogram('Gh'),
  description: 'Reads repositories of GitHub.',
  credentials: {
    type: 'object',
    required: ['oauth_token', 'installation_id'],
    properties: {
      oauth_token: { type: 'string', writeOnly: true },
      installation_id: { type: 'string' },
      note: { type: 'string' },
    },
  },
});

describe('isConfigured', () => {
  it('asks for every required field and no other', () => {
    expect(isConfigured(github, { oauth_token: true, installation_id: '42' })).toBe(true);
    expect(isConfigured(github, { oauth_token: true })).toBe(false);
    expect(isConfigured(github, { installation_id: '42', note: 'x' })).toBe(false);
    expect(isConfigured(github, { oauth_token: true, installation_id: '  ' })).toBe(false);
  });

  it("lets the connector's own rule decide", () => {
    const any = { ...github, isConfigured: () => true };
    expect(isConfigured(any, {})).toBe(true);
  });

  it('is configured without a form', () => {
    const card = defineConnector({ id: 'a', title: 'A', category: 'sast', image: monogram('A'), description: 'A.' });
    expect(isConfigured(card, {})).toBe(true);
  });
});

describe('requiredFieldsAreFilled', () => {
  const schema: CredentialSchema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
  it.each([
    [undefined, false],
    [null, false],
    ['', false],
    [' \t', false],
    [[], false],
    [{}, false],
    ['x', true],
    [0, true],
    [false, true],
    [true, true],
    [['x'], true],
    [{ k: 'v' }, true],
  ])('says of %j: %s', (value, filled) => {
    expect(requiredFieldsAreFilled(schema, { a: value })).toBe(filled);
  });
});

it('names the secrets of a schema', () => {
  expect(secretKeys(github.credentials)).toEqual(['oauth_token']);
});
