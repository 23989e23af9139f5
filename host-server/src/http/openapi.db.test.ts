import { documentedPath } from '@breakwater/core/platform/api/contract.ts';
import { AppError } from '@breakwater/core/platform/model/app-error.ts';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../tools/testing/server.ts';
import { createRequestReader } from './validation.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('/api/v1/openapi.json is valid OpenAPI 3.1 and lists every route', async () => {
  const { body } = await server.call('GET', '/openapi.json');
  const validator = new Validator();
  const result = await validator.validate(structuredClone(body));
  expect(result.errors ?? []).toEqual([]);
  expect(result.valid).toBe(true);
  expect(validator.version).toBe('3.1');
  const listed = Object.entries(body.paths).flatMap(([path, operations]) =>
    Object.keys(operations as object).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(listed.sort()).toEqual(server.endpoints.map(({ route }) => `${route.method} ${documentedPath(route)}`).sort());
});

test('filters are deep objects, operation ids are unique, roles are named', async () => {
  const { body } = await server.call('GET', '/openapi.json');
  const repositories = body.paths['/repositories'].get;
  const filters = repositories.parameters.find((parameter: { name: string }) => parameter.name === 'filters');
  expect(filters).toMatchObject({ in: 'query', style: 'deepObject', explode: true });
  expect(repositories['x-permission']).toBe('repositories.read');
  expect(repositories['x-roles']).toEqual(['admin', 'cyberoper', 'developer']);
  const ids = Object.values(body.paths).flatMap((operations) =>
    Object.values(operations as Record<string, { operationId: string }>).map((operation) => operation.operationId),
  );
  expect(new Set(ids).size).toBe(ids.length);
});

test('the checks of every call can be compiled, which a server does when the call first comes', () => {
  const refused = (work: () => unknown): void => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  };
  for (const { route } of server.endpoints) {
    const reader = createRequestReader(route);
    refused(() => reader.params({}));
    refused(() => reader.query('/?a=1'));
    refused(() => reader.body({}));
    // more values than are checked in detail
    refused(() => reader.body(Array.from({ length: 60_001 }, () => 1)));
  }
});
