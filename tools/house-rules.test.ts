import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fullPath } from '@breakwater/core/platform/api/contract.ts';
import { PERMISSIONS } from '@breakwater/core/platform/model/permissions.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadRoutes } from './docs/generate.ts';

const ROOT = path.join(import.meta.dirname, '..');
const BIOME = path.join(ROOT, 'node_modules/@biomejs/biome/bin/biome');

const SOURCE = 'core/src/findings/server';

/** Name of the probe → file, text, and what the lint must say about it (nothing: it must be allowed). */
const PROBES: Record<string, { file: string; text: string; refused?: string }> = {
  'a cast': {
    file: `${SOURCE}/a.ts`,
    text: "export const a = JSON.parse('1') as number;",
    refused: 'A cast hides a mistake',
  },
  'an old-style cast': {
    file: `${SOURCE}/b.ts`,
    text: "export const a = <number>JSON.parse('1');",
    refused: 'A cast hides',
  },
  'import(x).T': {
    file: `${SOURCE}/c.ts`,
    text: "export type A = import('pg').Pool;",
    refused: "No tool sees import('x').T",
  },
  any: { file: `${SOURCE}/d.ts`, text: 'export const a = (value: any) => value;', refused: 'noExplicitAny' },
  'a non-null assertion': {
    file: `${SOURCE}/e.ts`,
    text: 'export const a = (value?: string) => value!.length;',
    refused: 'noNonNullAssertion',
  },
  'a changed parameter': {
    file: `${SOURCE}/f.ts`,
    text: 'export const a = (value: number) => { value = 2; return value; };',
    refused: 'noParameterAssign',
  },
  'an enum': { file: `${SOURCE}/g.ts`, text: 'export enum A { B }', refused: 'noEnum' },
  'a file of 401 lines': { file: `${SOURCE}/h.ts`, text: 'void 1;\n'.repeat(401), refused: 'noExcessiveLinesPerFile' },
  'a function of 51 lines': {
    file: `${SOURCE}/i.ts`,
    text: `export const a = () => {\n${'  void 1;\n'.repeat(51)}};`,
    refused: 'noExcessiveLinesPerFunction',
  },
  'the environment outside the configuration': {
    file: `${SOURCE}/j.ts`,
    text: 'export const a = process.env.HOME;',
    refused: 'Only the configuration reads the environment',
  },
  'a name that is not kebab-case': {
    file: `${SOURCE}/CamelCase.ts`,
    text: 'export const a = 1;',
    refused: 'useFilenamingConvention',
  },
  'a skipped test': { file: `${SOURCE}/k.test.ts`, text: "test.skip('a', () => {});", refused: 'noSkippedTests' },
  'a focused test': { file: `${SOURCE}/l.test.ts`, text: "test.only('a', () => {});", refused: 'noFocusedTests' },
  'as const': { file: `${SOURCE}/m.ts`, text: 'export const a = { b: 1 } as const;' },
  'a renamed export': { file: `${SOURCE}/n.ts`, text: "export { a as b } from './m.ts';" },
  'the words of a cast in texts and comments': {
    file: `${SOURCE}/o.ts`,
    text: "// as number\nexport const a = 'x as number';",
  },
  'a cast in a test': { file: `${SOURCE}/p.test.ts`, text: "export const a = JSON.parse('1') as number;" },
  'the environment in the configuration': {
    file: 'host-server/src/config/a.ts',
    text: 'export const a = process.env.HOME;',
  },
};

/** Lints all probes at once with the repository's own rules, in a copy, so that a failed run leaves nothing behind. */
const lintProbes = async (): Promise<string> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'breakwater-lint-'));
  try {
    for (const file of ['biome.json', '.gitignore', 'tools/lint']) {
      await cp(path.join(ROOT, file), path.join(folder, file), { recursive: true });
    }
    for (const { file, text } of Object.values(PROBES)) {
      await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
      await writeFile(path.join(folder, file), `${text}\n`);
    }
    const args = ['lint', '--colors=off', '--reporter=github', '--max-diagnostics=none', 'core', 'host-server'];
    return spawnSync(process.execPath, [BIOME, ...args], { cwd: folder, encoding: 'utf8' }).stdout;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

describe('lint', () => {
  let said: string[] = [];
  beforeAll(async () => {
    said = (await lintProbes()).split('\n');
  });

  test.each(Object.entries(PROBES))('%s', (_name, { file, refused }) => {
    const lines = said.filter((line) => line.includes(`/${file},`));
    if (refused === undefined) expect(lines).toEqual([]);
    else expect(lines.join('\n')).toContain(refused);
  });
});

test('every route says who may call it, in words that exist', async () => {
  const routes = await loadRoutes(ROOT);
  expect(routes.length).toBeGreaterThan(20);
  for (const { name, route } of routes) {
    const { access } = route;
    const isOpen = 'public' in access && access.public;
    const isListed = 'permission' in access && access.permission in PERMISSIONS;
    expect(isOpen || isListed, name).toBe(true);
  }
});

test('no two routes share method and path', async () => {
  const addresses = (await loadRoutes(ROOT)).map(
    ({ route }) => `${route.method} ${fullPath(route).replaceAll(/\{\w+\}/g, '{}')}`,
  );
  expect(addresses).toEqual([...new Set(addresses)]);
});

test('every parameter of a path is declared, and nothing else', async () => {
  for (const { name, route } of await loadRoutes(ROOT)) {
    const named = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();
    const schema: object = route.params ?? {};
    const declared =
      'properties' in schema && schema.properties instanceof Object ? Object.keys(schema.properties).sort() : [];
    expect(declared, name).toEqual(named);
  }
});

test('a GET changes nothing: it takes no body', async () => {
  const withBody = (await loadRoutes(ROOT)).filter(({ route }) => route.method === 'GET' && route.body !== undefined);
  expect(withBody.map(({ name }) => name)).toEqual([]);
});

test('only strict bodies and queries: an unknown key is an error', async () => {
  for (const { name, route } of await loadRoutes(ROOT)) {
    // SCIM's clients may send what a server does not know. Source: RFC 7644 §3.3, RFC 7643 §2.4
    if (route.base === 'scim') continue;
    // the connector's own schema says what its route takes, and is checked once the route is known
    if (route.path.startsWith('/connectors/{id}/routes/')) continue;
    for (const schema of [route.body, route.query]) {
      if (schema === undefined) continue;
      expect(schema, name).toMatchObject({ additionalProperties: false });
    }
  }
});
