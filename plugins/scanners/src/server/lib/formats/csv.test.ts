import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../../testing/property-runs.ts';
import { readCells } from './csv.ts';

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
