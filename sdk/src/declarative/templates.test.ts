import { expect, test } from 'vitest';
import { fillRequest } from './templates.ts';

test('templates are look-ups: encoded in addresses, left out of the query where nothing was filled in', () => {
  const scope = { region: 'eu', 'target.id': 'a/b c?d', limit: 50, isStrict: true, tags: ['x', 'y'] };
  expect(
    fillRequest(
      {
        path: '/projects/{{target.id}}/issues',
        query: { region: '{{region}}', branch: '{{branch}}', page: 1, tags: '{{tags}}' },
        headers: { 'x-region': '{{region}}' },
        body: { limit: '{{limit}}', strict: '{{isStrict}}', text: 'up to {{limit}}', list: ['{{region}}', 1, null] },
      },
      scope,
    ),
  ).toEqual({
    path: '/projects/a%2Fb%20c%3Fd/issues',
    query: { region: 'eu', branch: undefined, page: 1, tags: 'x,y' },
    headers: { 'x-region': 'eu' },
    body: { limit: 50, strict: true, text: 'up to 50', list: ['eu', 1, null] },
  });
});

test.each(['', '.', '..'])('%j cannot lead to another address', (id) => {
  expect(() => fillRequest({ path: '/projects/{{target.id}}/issues' }, { 'target.id': id })).toThrow(/target\.id/);
});

test('a value that looks like a template is not filled in again', () => {
  const scope = { name: '{{secret}}', secret: 'nobody sees this' };
  expect(fillRequest({ path: '/', query: { name: '{{name}}' } }, scope).query).toEqual({ name: '{{secret}}' });
});
