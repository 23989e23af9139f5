import { manifestOfDocument } from '@breakwater/sdk/declarative';
import { expect, test } from 'vitest';
import { pathInIssue, withoutPlace } from './document-rules.ts';
import {
  documentIn,
  documentText,
  fieldsOf,
  linesOf,
  mapOfLines,
  NEW_DOCUMENT,
  OPTIONAL_FIELDS,
  REQUIRED_FIELDS,
  valueAt,
  withFields,
  withValue,
} from './draft-document.ts';

const whole = {
  ...NEW_DOCUMENT,
  ...{ id: 'dock', title: 'Dock', description: 'Findings of Dock.', documentation: 'https://dock.example/docs' },
  ...{ baseUrl: 'https://api.dock.example', permissions: { egress: ['api.dock.example'] } },
  check: { request: { path: '/me' }, identity: 'name' },
};

test('a value is set, replaced and taken out without a change of what is beside it', () => {
  const set = withValue(whole, ['check', 'request', 'query', 'state'], 'open');
  expect(valueAt(set, ['check', 'request'])).toEqual({ path: '/me', query: { state: 'open' } });
  expect(Object.keys(set)).toEqual(Object.keys(whole));
  expect(withValue(set, ['check', 'request', 'query'], undefined)).toEqual(whole);
  expect(valueAt(withValue(whole, ['title', 'x'], 1), ['title'])).toEqual({ x: 1 });
  expect(valueAt(whole, ['title', 'length'])).toBeUndefined();
  expect(valueAt(whole, ['constructor'])).toBeUndefined();
});

test('the text and the document are the same; what is no object is none', () => {
  expect(documentIn(documentText(whole))).toEqual(whole);
  for (const text of ['', '[]', '"a"', 'null', '{']) expect(documentIn(text)).toBeUndefined();
});

test('every field that the form offers is one that a document may map', () => {
  const map = Object.fromEntries([...REQUIRED_FIELDS, ...OPTIONAL_FIELDS].map((name) => [name, 'a']));
  const document = { ...whole, findings: { request: { path: '/x' }, type: 'SAST', map } };
  expect(manifestOfDocument(document).id).toBe('dock');
  expect(() => manifestOfDocument(withValue(document, ['findings', 'map', 'kind'], 'a'))).toThrow();
});

test('fields of the form keep what the text says of them besides', () => {
  const document = withValue(whole, ['credentials', 'properties', 'region'], {
    type: 'string',
    enum: ['eu', 'us'],
    default: 'eu',
  });
  const [token, region] = fieldsOf(document);
  expect(region).toMatchObject({ name: 'region', choices: ['eu', 'us'], isRequired: false });
  if (token === undefined || region === undefined) throw new Error('two fields');
  const changed = withFields(
    document,
    [token, { ...region, name: 'area', title: 'Area', isRequired: true }],
    ['token', 'region'],
  );
  expect(valueAt(changed, ['credentials'])).toEqual({
    type: 'object',
    required: ['token', 'area'],
    properties: {
      token: { type: 'string', title: 'API token', writeOnly: true },
      area: { type: 'string', enum: ['eu', 'us'], default: 'eu', title: 'Area' },
    },
  });
});

test('lines of a map', () => {
  expect(mapOfLines('a = b\n\n c=d = e\nf')).toEqual({ a: 'b', c: 'd = e', f: '' });
  expect(mapOfLines(' \n')).toBeUndefined();
  expect(linesOf({ a: 'b', c: 1 })).toBe('a = b\nc = 1');
});

test.each([
  ['connector.json, field "findings.map.title": is no JSONata: x', ['findings', 'map', 'title'], 'is no JSONata: x'],
  [
    'plugin "a", connector "a", field "permissions.egress": "x" is not a host',
    ['permissions', 'egress'],
    '"x" is not a host',
  ],
  ['connector.json: says nothing', [], 'connector.json: says nothing'],
])('the place of an issue: %s', (text, path, message) => {
  expect(pathInIssue(text)).toEqual(path);
  expect(withoutPlace(text)).toBe(message);
});
