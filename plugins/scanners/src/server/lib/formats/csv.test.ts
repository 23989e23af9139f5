import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../../testing/property-runs.ts';
import { readCells } from './csv.ts';

const read = (text: string, delimiter: ',' | ';' = ',') => [...readCells(Buffer.from(text), delimiter)];

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
    ['"a"b",c', [['a"b', 'c']]],
    ['""', [['']]],
    ['', []],
  ])('%j', (text, rows) => {
    expect(read(text)).toEqual(rows);
  });

  test('semicolons', () => expect(read('a;"b;c";d,e', ';')).toEqual([['a', 'b;c', 'd,e']]));

  test('a quote that is never closed, and a row beyond any real one, are refused', () => {
    expect(() => read('a,b\n"x')).toThrow(/never closed \(line 2\)/);
    expect(() => read(`"${'x'.repeat(2_000_000)}"`)).toThrow(/larger than 1 MB/);
    expect(() => read('x'.repeat(2_000_000))).toThrow(/larger than 1 MB/);
  });

  test('says the same as csv-parse', () => {
    const cell = fc.oneof(
      fc.string({ maxLength: 8 }).filter((text) => !/[\r\n",]/.test(text)),
      fc.string({ maxLength: 12, unit: fc.constantFrom('a', '"', ',', '\n', '\r\n', 'ü') }).map(quoted),
    );
    const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { maxLength: 8 });
    fc.assert(
      fc.property(table, fc.constantFrom('\n', '\r\n'), (rows, end) => {
        const text = rows.map((row) => row.join(',')).join(end);
        const options = { relax_column_count: true, relax_quotes: true, skip_empty_lines: true, record_delimiter: end };
        expect(read(text)).toEqual(parse(text, options));
      }),
      { numRuns: propertyRuns(150) },
    );
  });
});

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
