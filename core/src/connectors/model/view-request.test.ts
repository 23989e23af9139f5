import { describe, expect, it } from 'vitest';
import { MAX_REQUEST, parseRoute, readViewRequest } from './view-request.ts';

const read = (message: unknown) => readViewRequest(JSON.stringify(message));

describe('what a view asks', () => {
  it.each([
    [{ id: 1, method: 'getConnection' }],
    [{ id: 2, method: 'call', route: 'GET /projects/open', input: { page: 1 } }],
    [{ id: 3, method: 'resize', height: -5 }],
    [{ method: 'pong' }],
  ])('%j is taken', (message) => {
    expect(read(message)).toEqual({ request: message });
  });

  it('a call without input has an empty one', () => {
    expect(read({ id: 1, method: 'call', route: 'GET /a' })).toEqual({
      request: { id: 1, method: 'call', route: 'GET /a', input: {} },
    });
  });

  it.each([
    [{ id: 1, method: 'getSecret' }, 1],
    [{ id: 1, method: '__proto__' }, 1],
    [{ id: 1, method: 'getConnection', connectorId: 'other' }, 1],
    [{ id: 1, method: 'call', route: 'GET /a', input: [] }, 1],
    [{ id: 1, method: 'call', route: 'GET /a', input: 'x' }, 1],
    [{ id: 1, method: 'resize', height: '100' }, 1],
    [{ id: 1, method: 'resize' }, 1],
    [{ id: 0, method: 'getConnection' }, undefined],
    [{ id: 1.5, method: 'getConnection' }, undefined],
    [{ method: 'getConnection' }, undefined],
    [[], undefined],
    [null, undefined],
    ['getConnection', undefined],
  ])('%j is refused', (message, id) => {
    expect(read(message)).toMatchObject({ id, code: 'invalid' });
  });

  it.each([[{ id: 1, method: 'getConnection' }], [undefined], ['{'], [' '.repeat(MAX_REQUEST + 1)]])(
    'other data than short text of JSON is refused',
    (data) => {
      expect(readViewRequest(data)).toMatchObject({ id: undefined, code: 'invalid' });
    },
  );

  it.each([
    'GET /../x',
    'GET /a/../../x',
    'GET //evil.example/x',
    'GET /%2e%2e/x',
    'GET /a?b=1',
    'GET /a#b',
    'GET /A',
    'GET /',
    'GET a',
    'DELETE /a',
    'get /a',
    'GET  /a',
    'GET /a\n',
    `GET /${'a'.repeat(300)}`,
  ])('%j is no route', (route) => {
    expect(parseRoute(route)).toBeUndefined();
    expect(read({ id: 1, method: 'call', route })).toMatchObject({ code: 'invalid' });
  });
});
