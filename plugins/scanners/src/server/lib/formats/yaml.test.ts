import { ReportError } from '@breakwater/sdk';
import { describe, expect, test } from 'vitest';
import { parseBlockYaml, yamlAsJson } from './yaml.ts';

const read = (...lines: string[]): unknown => JSON.parse(yamlAsJson(Buffer.from(lines.join('\n'))).toString());

describe('YAML', () => {
  test.each<[string, string[], unknown]>([
    ['mapping', ['---', 'a: 1', 'b: x # why', 'c:', 'd: ~', '...'], { a: 1, b: 'x', c: null, d: null }],
    [
      'lists at the name and below it',
      ['a:', '- 1', '- b: 2', '  c: 3', 'd:', '    - - 4', '      - 5'],
      { a: [1, { b: 2, c: 3 }], d: [[4, 5]] },
    ],
    [
      'plain texts over lines',
      ['a: one', '  two', '', '  three', 'b: http://x:1/#y'],
      { a: 'one two\nthree', b: 'http://x:1/#y' },
    ],
    ['single quotes', ["a: 'it''s", '', "  here'", "'b c': ''"], { a: "it's\nhere", 'b c': '' }],
    ['double quotes', ['a: "x\\ty\\', '  \\  z\\u0041\\x41"', 'b: "\\"q\\" #"'], { a: 'x\ty  zAA', b: '"q" #' }],
    [
      'blocks',
      ['a: |', '  one', '    two', '', 'b: >-', '  x', '  y', 'c: |-', '  z'],
      { a: 'one\n  two\n', b: 'x y', c: 'z' },
    ],
    [
      'empty collections',
      ['a: []', 'b: {}', 'c: true', 'd: 1.5', 'e: 007'],
      { a: [], b: {}, c: true, d: 1.5, e: '007' },
    ],
    ['long names', ['? a b', ': c: 1', '  d: 2', 'e: 3'], { 'a b': { c: 1, d: 2 }, e: 3 }],
    [
      'names with dots, colons and signs',
      ['./a.py:', '  x: 1', 'C:\\b c: 2', 'd#e: 3'],
      { './a.py': { x: 1 }, 'C:\\b c': 2, 'd#e': 3 },
    ],
  ])('%s', (_name, lines, value) => expect(read(...lines)).toEqual(value));

  test('names that objects have by themselves are names like any other', () => {
    expect(Object.keys(Object(parseBlockYaml(Buffer.from('__proto__: 1\nconstructor: 2'))))).toEqual([
      '__proto__',
      'constructor',
    ]);
  });

  test('a mapping or a list for a name is refused with its line', () => {
    expect(() => read('a: 1', '? b:', ': c: 1')).toThrow(/line 2/);
    expect(() => read('? - b', ': c: 1')).toThrow(ReportError);
  });

  test('what is no YAML, what is cut off and what is nested without end is refused with its line', () => {
    expect(() => read('a: 1', 'b')).toThrow(/line 2/);
    expect(() => read('a: 1', '---', 'a: 2')).toThrow(/line 2/);
    expect(() => read('a: "x', 'b: 2')).toThrow(/never closed/);
    expect(() => read('- '.repeat(500))).toThrow(ReportError);
    expect(() => read(...Array.from({ length: 500 }, (_, at) => `${' '.repeat(at)}a:`))).toThrow(/levels deep/);
  });
});
