import { expect, test } from 'vitest';
import { literalsOf, tablesIn, tablesOfSchema } from './check-tables.ts';

const usesIn = (source: string): string[] =>
  literalsOf(source)
    .flatMap(tablesIn)
    .map(({ table, isWrite }) => `${isWrite ? 'writes' : 'reads'} ${table}`);

test('reads what SQL takes from, joins and locks, in lists and with aliases', () => {
  expect(usesIn('sql`select 1 from findings f, users as u join lateral (select 1 from scans) s on true`')).toEqual([
    'reads findings',
    'reads users',
    'reads lateral',
    'reads scans',
  ]);
});

test.each([
  ['insert into findings (id) values (1)', 'writes findings'],
  ['update findings set id = 1', 'writes findings'],
  ['delete from findings f where f.id = 1', 'writes findings'],
  ['truncate findings', 'writes findings'],
  ['copy findings from stdin', 'writes findings'],
])('%s', (statement, use) => {
  expect(usesIn(`'${statement}'`)).toContain(use);
});

test('a value put into a template is code of its own', () => {
  const source = `sql\`delete from findings where id in (\${sql\`select id from scans where n = \${{ a: '}' }}\`}) and true\`;`;
  expect(usesIn(source)).toEqual(['writes findings', 'reads scans']);
});

test.each([
  [".selectFrom('findings as f')", 'reads findings'],
  [".leftJoin('findings', 'a', 'b')", 'reads findings'],
  [".insertInto('findings')", 'writes findings'],
  [".updateTable('findings')", 'writes findings'],
  [".deleteFrom('findings')", 'writes findings'],
])('%s', (source, use) => {
  expect(usesIn(source)).toEqual([use]);
});

test('comments and regular expressions are no literals', () => {
  const source = "// it's from users\n/* `from scans` */ const p = /['\"`]/; const q = 4 / 2; x('from findings');";
  expect(literalsOf(source).map(({ text }) => text)).toEqual(['from findings']);
});

test('the tables of the schema are those that are made, without those that go or get another name', () => {
  const files = [
    {
      file: 'a.sql',
      text: '-- create table comments (\ncreate table a (\n);\ncreate table b (id int);\ncreate table c (id int);',
    },
    {
      file: 'b.sql',
      text: 'drop table if exists a, b;\nalter table c rename to d;\ncreate unlogged table e (id int);',
    },
  ];
  expect([...tablesOfSchema(files)]).toEqual([
    ['d', 'b.sql'],
    ['e', 'b.sql'],
  ]);
});
