import type { CredentialSchema } from '@breakwater/sdk';
import { expect, test } from 'vitest';
import { effectiveConfig, fieldViews, readValues } from './credential-values.ts';

const schema = {
  type: 'object',
  properties: {
    token: { type: 'string', writeOnly: true },
    url: { type: 'string', format: 'uri' },
    kind: { type: 'string', enum: ['azure', 'openai'], default: 'azure' },
    team: { type: 'number' },
  },
  required: ['token', 'url'],
} as const satisfies CredentialSchema;

const read = (values: Record<string, unknown>) => readValues(schema, values, () => []);

test('a field left out stays, null clears, an empty secret stays', () => {
  expect(read({}).change).toEqual({ set: {}, cleared: [], secrets: new Map(), clearedSecrets: [] });
  expect(read({ token: null, url: null, team: null }).change).toMatchObject({
    cleared: ['url', 'team'],
    clearedSecrets: ['token'],
  });
  expect(read({ token: '', url: '  ' }).change).toMatchObject({
    cleared: ['url'],
    clearedSecrets: [],
    secrets: new Map(),
  });
});

test('texts lose the spaces around them, in lists and maps too', () => {
  const { change } = read({ token: ' abc \n', url: ' https://a.test ' });
  expect(change.secrets).toEqual(new Map([['token', 'abc']]));
  expect(change.set).toEqual({ url: 'https://a.test' });
});

test('values are judged without what the form requires, and places begin at the body', () => {
  const seen: object[] = [];
  const { issues } = readValues(schema, { url: 'x' }, (judged) => {
    seen.push(judged);
    return [{ loc: ['url'], msg: 'no', type: 'format' }];
  });
  expect(seen).toEqual([expect.objectContaining({ type: 'object', additionalProperties: false })]);
  expect(seen[0]).not.toHaveProperty('required');
  expect(issues).toEqual([{ loc: ['body', 'values', 'url'], msg: 'no', type: 'format' }]);
});

test('what is nested without end is refused before anything recurses', () => {
  let deep: unknown = 'x';
  for (let level = 0; level < 20_000; level += 1) deep = [deep];
  expect(read({ url: deep }).issues).toMatchObject([{ loc: ['body', 'values', 'url'] }]);
});

test('code sees defaults, never secrets nor fields that the form does not have', () => {
  expect(effectiveConfig(schema, { url: 'u', token: 'left from a version where it was public', old: 1 })).toEqual({
    url: 'u',
    kind: 'azure',
  });
});

test('a person sees values of public fields and of secrets the hint at most', () => {
  expect(fieldViews(schema, { url: 'u' }, { token: '' })).toEqual({
    token: { set: true, hint: null, value: null },
    url: { set: true, hint: null, value: 'u' },
    kind: { set: false, hint: null, value: 'azure' },
    team: { set: false, hint: null, value: null },
  });
  expect(fieldViews(schema, {}, { token: 'wxyz' })['token']).toEqual({ set: true, hint: 'wxyz', value: null });
});
