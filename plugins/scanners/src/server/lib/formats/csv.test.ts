import fc from 'fast-check';
import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../../testing/property-runs.ts';
import { Tally } from '../json/records.ts';
import { recordCheck } from '../values/schema.ts';
import { csvColumns, readCells, readRows } from './csv.ts';

async function read(text: string, delimiter: ',' | ';' = ','): Promise<string[][]> {
  const rows: string[][] = [];
  for await (const cells of readCells(Buffer.from(text), delimiter)) rows.push(cells);
  return rows;
}

describe('tables', () => {
  test.each([
    [
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\r\n\r\n1,\r\n',
      [
        ['a', 'b'],
        ['1', ''],
      ],
    ],
    ['"a, b","c ""d"""', [['a, b', 'c "d"']]],
    ['"two\r\nlines",x\ny', [['two\r\nlines', 'x'], ['y']]],
    ['The "root" account,x', [['The "root" account', 'x']]],
    ['"a"b",c', [['"a"b"', 'c']]],
    ['""', [['']]],
    ['', []],
  ])('%j', async (text, rows) => {
    expect(await read(text)).toEqual(rows);
  });

  test('semicolons', async () => expect(await read('a;"b;c";d,e', ';')).toEqual([['a', 'b;c', 'd,e']]));

  test('a quote that is never closed, and a row beyond any real one, are refused', async () => {
    await expect(read('a,b\n"x')).rejects.toThrow(/never closed \(line 2\)/);
    await expect(read(`"${'x'.repeat(2_000_000)}"`)).rejects.toThrow(/larger than 1 MB/);
    await expect(read('x'.repeat(2_000_000))).rejects.toThrow(/larger than 1 MB/);
  });

  test('reads back what was written, whatever the cells hold and however the rows end', async () => {
    const plain = fc.string({ minLength: 1, maxLength: 8 }).filter((text) => !/[\r\n",]/.test(text));
    const any = fc.string({ maxLength: 12, unit: fc.constantFrom('a', '"', ',', '\n', '\r\n', 'ü') });
    const cell = fc.oneof(
      plain.map((text) => ({ text, written: text })),
      any.map((text) => ({ text, written: `"${text.replaceAll('"', '""')}"` })),
    );
    const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(table, fc.constantFrom('\n', '\r\n'), async (rows, end) => {
        const text = rows.map((row) => row.map(({ written }) => written).join(',')).join(end);
        expect(await read(text)).toEqual(rows.map((row) => row.map(({ text: value }) => value)));
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});

describe('rows', () => {
  const check = recordCheck(Type.Object({ a: Type.String({ minLength: 1 }) }));
  const rowsOf = async (text: string) => {
    const tally = new Tally();
    const records: string[] = [];
    const { signal } = new AbortController();
    for await (const record of readRows({ bytes: Buffer.from(text), check, tally, signal }, (row) => ({
      kind: 'report' as const,
      toolName: Object.values(row).join('|'),
    })))
      records.push(record.kind === 'unreadable' ? `${record.where} ${record.why}` : JSON.stringify(record));
    return records;
  };
  const row = (...cells: string[]) => JSON.stringify({ kind: 'report', toolName: cells.join('|') });

  test('of blank cells are nothing, before the names, between the rows and behind them', async () => {
    expect(await rowsOf('\n,,\na,b,c\n1,2,3\n,,\n  ,\t,\n\n"",,""\n4,5,6\n,,\n\n')).toEqual([
      row('1', '2', '3'),
      row('4', '5', '6'),
    ]);
  });

  test('that end before their columns are unreadable, wherever they are cut', async () => {
    expect(await rowsOf('a,b,c\n1,2,3\n4,5')).toEqual([
      row('1', '2', '3'),
      'row 3 is cut off: 1 of its columns are missing',
    ]);
    expect(await rowsOf('a,b,c\n1\n4,5,6\n')).toEqual([
      'row 2 is cut off: 2 of its columns are missing',
      row('4', '5', '6'),
    ]);
    // names that end in a comma name no column
    expect(await rowsOf('a,b,\n1,2\n1,2,\n')).toEqual([row('1', '2'), row('1', '2', '')]);
  });

  test('may end in a carriage return alone, with line feeds inside of cells', async () => {
    expect(await rowsOf('a,b\r1,"two\nlines"\r\r3,4\r')).toEqual([row('1', 'two\nlines'), row('3', '4')]);
    expect(await rowsOf('a,b\n1,x\ry\n')).toEqual([row('1', 'x\ry')]);
    expect(await rowsOf('"a",b\r\n1,x\r\n')).toEqual([row('1', 'x')]);
    expect(csvColumns(Buffer.from('a,b\r1,2'))).toEqual(['a', 'b']);
  });
});
