import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError, ERROR_CODES } from '@breakwater/core/platform/model/app-error.ts';
import { errorBody } from '@breakwater/host-server/http/errors.ts';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { generatePages, loadRoutes, schemaText } from './generate.ts';

const ROOT = path.join(import.meta.dirname, '../..');

test('the pages that git keeps are what the code says now (npm run docs)', async () => {
  const pages = generatePages(await loadRoutes(ROOT));
  for (const [file, text] of pages) {
    expect(await readFile(path.join(ROOT, 'docs', file), 'utf8').catch(() => 'missing'), file).toBe(text);
  }
  const kept = await readdir(path.join(ROOT, 'docs/api'));
  expect(kept.map((file) => `api/${file}`).sort()).toEqual(
    [...pages.keys()].filter((file) => file.startsWith('api/')).sort(),
  );
});

test('every error code has its row', () => {
  const page = generatePages([]).get('errors.md') ?? '';
  for (const code of Object.keys(ERROR_CODES)) expect(page).toContain(`id="${code}"`);
});

test('errors are described as the server writes them', () => {
  const page = generatePages([]).get('errors.md') ?? '';
  const keys = /answers `\{ ([^}]*) \}`/.exec(page)?.[1]?.split(', ');
  expect(keys).toEqual(Object.keys(errorBody(new AppError('not_found'), 'request-1')));
});

test('schemas read as types', () => {
  expect(schemaText(Type.Integer({ minimum: 1, maximum: 9 }))).toBe('integer (1-9)');
  expect(schemaText(Type.Union([Type.String({ format: 'uuid' }), Type.Null()]))).toBe('uuid | null');
  expect(schemaText(Type.String({ contentSchema: Type.Object({ a: Type.Number() }) }))).toBe(
    'string, signed (JWS), of {\n  a: number\n}',
  );
  expect(schemaText(Type.Array(Type.Union([Type.Literal('a'), Type.Literal('b')])))).toBe('("a" | "b")[]');
  expect(schemaText(Type.Object({ a: Type.String(), b: Type.Optional(Type.Number()) }))).toBe(
    '{\n  a: string\n  b?: number\n}',
  );
});
