import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fullPath, isAllowed } from '@breakwater/core/platform/api/contract.ts';
import { ROLES, type Role } from '@breakwater/core/platform/model/permissions.ts';
import { beforeAll, expect, test } from 'vitest';
import { type DeclaredRoute, loadRoutes } from './docs/generate.ts';
import { ROOT } from './suites/run.ts';

/** A row of calls.json; its `about` says what the keys mean. */
interface Call {
  area: string;
  method: string;
  /** Below `/api/v1` for calls of the backend, whole for those of the frontend. */
  path: string;
  roles?: Role[];
  public?: boolean;
}

let calls: Call[];
let routes: DeclaredRoute[];
beforeAll(async () => {
  const file = path.join(import.meta.dirname, '__fixtures__/specification/calls.json');
  const table: { backend_base: string; backend: Call[]; frontend: Call[] } = JSON.parse(await readFile(file, 'utf8'));
  calls = [...table.backend.map((call) => ({ ...call, path: `${table.backend_base}${call.path}` })), ...table.frontend];
  routes = await loadRoutes(ROOT);
});

/** Segments of a path; a parameter takes any. */
const fits = (declared: string, asked: string): boolean => {
  const [own, wanted] = [declared.split('/'), asked.split('?')[0]?.split('/') ?? []];
  return own.length === wanted.length && own.every((part, at) => /^\{\w+\}$/.test(part) || part === wanted[at]);
};

/** The route of a call: where several fit, the one with the fewest parameters, as the server chooses. */
const routeOf = ({ method, path: asked }: Call): DeclaredRoute | undefined =>
  routes
    .filter(({ route }) => route.method === method && fits(fullPath(route), asked))
    .toSorted((a, b) => fullPath(a.route).split('{').length - fullPath(b.route).split('{').length)[0];

test('every call that the specification names has its route', () => {
  const missing = calls.filter((call) => routeOf(call) === undefined);
  expect(missing).toEqual([]);
});

test('whom the specification names may call it, and nobody else', () => {
  const wrong = calls.flatMap((call) => {
    const route = routeOf(call)?.route;
    if (route === undefined || call.roles === undefined) return [];
    const allowed = ROLES.filter((role) => isAllowed(route.access, role));
    return allowed.toSorted().join() === call.roles.toSorted().join()
      ? []
      : [`${call.method} ${call.path}: ${allowed.join(', ')}, not ${call.roles.join(', ')}`];
  });
  expect(wrong).toEqual([]);
});

test('what the specification calls public needs no session', () => {
  const open = calls.filter((call) => call.public === true && routeOf(call) !== undefined);
  expect(open.length).toBeGreaterThan(0);
  for (const call of open) expect([call.path, routeOf(call)?.route.access]).toEqual([call.path, { public: true }]);
});
