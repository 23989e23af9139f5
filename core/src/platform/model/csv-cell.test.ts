import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../../testing/property-runs.ts';
import { csvCell } from './csv-cell.ts';

/**
 * The cells that a spreadsheet makes of a file: quotes count at the start of a cell only, and what follows the closing one belongs to the
 * cell (Excel, LibreOffice). Written for this test, without regard to how the file was made.
 */
const cellsOf = (text: string, separator: string): string[] => {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  let isStart = true;
  for (let index = 0; index < text.length; index += 1) {
    const sign = text[index] ?? '';
    if (isQuoted && sign === '"' && text[index + 1] === '"') {
      cell += '"';
      index += 1;
    } else if (isQuoted) {
      if (sign === '"') isQuoted = false;
      else cell += sign;
    } else if (isStart && sign === '"') {
      isQuoted = true;
      isStart = false;
    } else if (sign === separator || sign === '\r' || sign === '\n') {
      cells.push(cell);
      cell = '';
      isStart = true;
    } else {
      cell += sign;
      isStart = false;
    }
  }
  return [...cells, cell];
};

const isFormula = (cell: string): boolean => /^[\s"]*[=+\-@＝＋－＠]/u.test(cell);
const READERS = [',', ';', '\t', '|'];

const formulasIn = (texts: readonly string[]): string[] => {
  const row = `${texts.map(csvCell).join(',')}\r\n`;
  return READERS.flatMap((separator) => cellsOf(`title\r\n${row}${row}`, separator).filter(isFormula));
};

describe('a text of a report in a CSV file', () => {
  test.each([
    'a;=1+1',
    'a; =1+1',
    ';"=1+1"',
    'a\t=1+1',
    'a|@SUM(1)',
    'a\n=1+1',
    'a\r\n-1',
    '";=1+1',
    ';;+1',
    ' =1',
    '"=1',
    '＝1;＋1',
  ])('%j is a formula for no reader', (text) => {
    expect(formulasIn([text])).toEqual([]);
    expect(formulasIn(['x', text, 'y'])).toEqual([]);
    expect(formulasIn([text, text])).toEqual([]);
  });

  test('the reader of this test knows a formula where there is one', () => {
    expect(cellsOf('x,"a;=1+1"\r\n', ';').filter(isFormula)).toEqual(['=1+1"']);
    expect(cellsOf('"a,b",c', ',')).toEqual(['a,b', 'c']);
  });

  test('no text is one', () => {
    const sign = fc.constantFrom(
      ...['=', '+', '-', '@', ';', '|', ',', '\t', '\r', '\n', '"', ' ', "'", 'a', '1', '＝'],
    );
    const text = fc.array(sign, { maxLength: 12 }).map((signs) => signs.join(''));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (texts) => {
        expect(formulasIn(texts)).toEqual([]);
      }),
      { numRuns: propertyRuns(2000) },
    );
  });

  test.each([
    'plain',
    'a, "b" c',
    'a;b',
    'x - y',
    'a;b=c',
    'https://a.example/?b=1;c=2',
    'a || b | c',
    'x\ty\nz',
    'a; b -c',
  ])('%j arrives as it is', (text) => {
    expect(cellsOf(csvCell(text), ',')).toEqual([text]);
  });
});
