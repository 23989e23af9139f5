import { expect, test } from 'vitest';
import type { Grammar } from './grammars.ts';
import { readSourceImports } from './source-imports.ts';

/** The place of a value in a template, as source text. */
const HOLE = ['$', '{name}'].join('');

const read = async (grammar: Grammar, text: string) => {
  const { imports, isDynamic } = await readSourceImports({ grammar, text });
  return { names: imports.map(({ name }) => name), isDynamic };
};

test.each<[string, string, string[]]>([
  ['a default import', `import a from 'lodash';`, ['lodash']],
  ['an import for its effects', `import 'reflect-metadata';`, ['reflect-metadata']],
  ['a file of a package', `import get from "lodash/get";`, ['lodash/get']],
  ['a package of a scope', `import { x } from '@scope/name/sub';`, ['@scope/name/sub']],
  ['what is handed on', `export * from 'express'; export { a } from 'b';`, ['express', 'b']],
  ['require', `const a = require('minimist');`, ['minimist']],
  ['require.resolve', `require.resolve('left-pad');`, ['left-pad']],
  ['an import when needed', `await import('qs');`, ['qs']],
  ['an import by a plain template', 'await import(`qs`);', ['qs']],
  [
    'a file of a package whose name is computed',
    `require(\`moment/locale/${HOLE}\`); require("date-fns/" + name);`,
    ['moment/locale/', 'date-fns/'],
  ],
  ['the import of TypeScript for CommonJS', `import fs = require('graceful-fs');`, ['graceful-fs']],
  ['a value beside a type', `import { type A, b } from 'c';`, ['c']],
  ['a default beside types', `import d, { type A } from 'c';`, ['c']],
  ['a value named type', `import type from 'c'; import { type } from 'd';`, ['c', 'd']],
  ['types alone', `import type { A } from 'b'; import { type C } from 'd'; export type { E } from 'f';`, []],
  [
    'files, the language and aliases',
    `import './a'; import '../b'; import '/c'; import 'node:fs'; import 'fs'; import '#d'; import '@/e'; import '~/f';`,
    [],
  ],
  ['addresses', `import 'https://example.org/a.js'; import 'virtual:b'; import 'data:text/javascript,1';`, []],
  ['text and comments', `// import 'a'\nconst b = "require('c')"; /* import 'd' */`, []],
  ['a function of another name', `define('a'); other.require('b');`, []],
])('reads %s', async (_, text, names) => {
  expect(await read('typescript', text)).toEqual({ names, isDynamic: false });
  expect((await read('tsx', text)).names).toEqual(names);
});

test.each(['require(name)', `import(\`${HOLE}/x\`)`, 'require(a + b)', 'require.resolve(name)'])(
  '%s is only known at run time',
  async (text) => {
    expect(await read('tsx', text)).toEqual({ names: [], isDynamic: true });
  },
);

test('a computed name of a file is no package', async () => {
  expect(await read('tsx', `import(\`./pages/${HOLE}\`); require("./" + name);`)).toEqual({
    names: [],
    isDynamic: false,
  });
});

test('reads JSX, and what still stands in a broken file', async () => {
  expect((await read('tsx', `const a = <p>{require('a')}</p>;\nimport b from 'b';\nfunction ( {{{`)).names).toEqual([
    'a',
    'b',
  ]);
});

test('reads Python', async () => {
  const text = `import os, yaml.nodes as n
from google.cloud import storage, bigquery as b
from . import own
from .x import y
from __future__ import annotations
from a import *
if True:
    import ujson
importlib.import_module("foo.bar")
__import__('baz')
import_module('.relative', package='x')
"""import not_this"""
`;
  expect(await read('python', text)).toEqual({
    names: [
      'os',
      'yaml.nodes',
      'google.cloud',
      'google.cloud.storage',
      'google.cloud.bigquery',
      'a',
      'ujson',
      'foo.bar',
      'baz',
    ],
    isDynamic: false,
  });
  expect(await read('python', 'import_module(name)')).toEqual({ names: [], isDynamic: true });
  expect(await read('python', 'import_module(f"plugins.{name}")')).toEqual({ names: [], isDynamic: true });
});

test('reads Java, without what comes with the language', async () => {
  const text = `package a; import java.util.List; import org.apache.commons.io.IOUtils; import static org.junit.Assert.*; import com . google . gson.Gson;`;
  expect((await read('java', text)).names).toEqual([
    'org.apache.commons.io.IOUtils',
    'org.junit.Assert',
    'com.google.gson.Gson',
  ]);
});

test('reads Go, without what comes with the language', async () => {
  const text =
    'package main\nimport (\n  "fmt"\n  "net/http"\n  x "github.com/a/b/v2/c"\n  _ `gopkg.in/yaml.v3`\n)\nimport "golang.org/x/net/html"\n';
  expect((await read('go', text)).names).toEqual(['github.com/a/b/v2/c', 'gopkg.in/yaml.v3', 'golang.org/x/net/html']);
});

test('says the line of an import', async () => {
  const { imports } = await readSourceImports({ grammar: 'tsx', text: "\n\nimport a from 'a';\n" });
  expect(imports).toEqual([{ name: 'a', line: 3 }]);
});

test.each<Grammar>(['tsx', 'python', 'java', 'go'])('reads random bytes as %s without failing', async (grammar) => {
  let seed = 7;
  const next = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return String.fromCharCode(seed % 512);
  };
  const text = Array.from({ length: 20_000 }, next).join('');
  expect((await readSourceImports({ grammar, text })).imports.length).toBeLessThan(20_000);
});
