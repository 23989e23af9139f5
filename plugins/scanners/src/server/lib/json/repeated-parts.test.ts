import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../../testing/property-runs.ts';
import { parseAll, RepeatedParts, SliceTree } from './repeated-parts.ts';

const LEVELS = 100;
const long = 'x'.repeat(40);

/** What the records say with their parts cut out, and how many were cut. */
function readCut(parts: RepeatedParts, text: string): { values: unknown; cuts: number } {
  const bytes = Buffer.from(text);
  const cut = parts.cut(bytes);
  return { values: parts.read(cut, LEVELS), cuts: cut.cuts };
}

/** Names and texts that look like what is sought, in places where it is and where it is not. */
const name = fc.constantFrom('extra', 'metadata', 'other', 'a"metadata', 'metadata"', '\\', 'metadata":{"x":1}', 'ä');
const leaf = fc.oneof(fc.constantFrom(null, 0, 1.5, true, '', long, `"metadata":{"a":"${long}"}`), fc.string(), name);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4 }),
  ),
}));
const part = fc.constantFrom(
  ...[{ a: long }, { a: long, b: 1 }, { a: `${long}y` }, { metadata: { a: long } }, [long, { metadata: [long] }]],
  ...[{ text: `",{"metadata":{"a":"${long}"}}` }, { ä: `${long}€` }, { a: long, b: [{}] }, {}, [], null, 'text', 5],
);
const record = fc.oneof(
  fc.record({ extra: fc.record({ metadata: part, other: value }, { requiredKeys: [] }), metadata: part, id: value }),
  fc.record({ id: value, extra: fc.dictionary(name, fc.oneof(part, value), { maxKeys: 4 }) }),
  value,
);

/** As tools write it: with the spaces and escapes that JSON leaves to them, and with names that come twice. */
function written(from: unknown, spaces: readonly string[], isTwice: boolean): string {
  let used = 0;
  const space = (): string => spaces[used++ % spaces.length] ?? '';
  const write = (one: unknown): string => {
    if (Array.isArray(one)) return `[${one.map((each) => `${space()}${write(each)}`).join(',')}${space()}]`;
    if (typeof one !== 'object' || one === null) return JSON.stringify(one);
    const fields = Object.entries(one).map(
      ([key, inner]) => `${JSON.stringify(key)}${space()}:${space()}${write(inner)}`,
    );
    return `{${(isTwice ? [...fields, ...fields] : fields).map((each) => `${space()}${each}`).join(',')}}`;
  };
  return write(from);
}

describe('parts that records repeat', () => {
  const metadata = { cwe: ['CWE-79'], text: long };
  const recordOf = (id: number): string => JSON.stringify({ id, extra: { metadata, line: id } });

  test('are cut out, and are the same object afterwards', () => {
    const parts = new RepeatedParts([['extra', 'metadata']]);
    const text = [1, 2, 3].map(recordOf).join(', ');
    expect(readCut(parts, text)).toEqual({ values: JSON.parse(`[${text}]`), cuts: 3 });
    const again = parts.read(parts.cut(Buffer.from(recordOf(4))), LEVELS);
    const once = parts.read(parts.cut(Buffer.from(recordOf(5))), LEVELS);
    expect(again).toEqual([{ id: 4, extra: { metadata, line: 4 } }]);
    expect(Reflect.get(Reflect.get(Object(again?.[0]), 'extra'), 'metadata')).toBe(
      Reflect.get(Reflect.get(Object(once?.[0]), 'extra'), 'metadata'),
    );
  });

  test('whatever the records are, they are read as JSON.parse reads them', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(record, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 }),
        fc.array(fc.constantFrom('', '', '', ' ', '\n  ', '\t'), { minLength: 1, maxLength: 7 }),
        fc.boolean(),
        (batches, spaces, isTwice) => {
          const parts = new RepeatedParts([['extra', 'metadata'], ['metadata'], ['other']]);
          for (const batch of [...batches, ...batches]) {
            const text = batch.map((one) => written(one, spaces, isTwice)).join(',');
            const bytes = Buffer.from(text);
            const cut = parts.cut(bytes);
            const read = parts.read(cut, LEVELS);
            const expected = parseAll(bytes);
            if (read !== undefined) expect(JSON.stringify(read)).toBe(JSON.stringify(expected));
            else expect(cut.cuts).toBeGreaterThan(0);
            expect(parts.read({ bytes, cuts: 0 }, LEVELS)).toEqual(expected);
          }
        },
      ),
      { numRuns: propertyRuns(150) },
    );
  });

  test('bytes that are no JSON stay none', () => {
    const text = [1, 2, 3].map(recordOf).join(',');
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.constantFrom(...'"\\{}[],: 1x'), fc.boolean(), (at, put, isInserted) => {
        const parts = new RepeatedParts([['extra', 'metadata']]);
        parts.cut(Buffer.from(text));
        const broken = Buffer.from(text.slice(0, at) + put + text.slice(isInserted ? at : at + 1));
        const cut = parts.cut(broken);
        const read = parts.read(cut, LEVELS);
        const expected = parseAll(broken);
        if (expected === undefined) expect(read).toBeUndefined();
        else if (read !== undefined) expect(read).toEqual(expected);
        else expect(cut.cuts).toBeGreaterThan(0);
      }),
      { numRuns: propertyRuns(600) },
    );
  });

  test('of a namesake elsewhere are left to JSON.parse', () => {
    const parts = new RepeatedParts([['extra', 'metadata']]);
    const namesake = `{"other":{"metadata":${JSON.stringify(metadata)}},"extra":{"m\\u0065tadata":"x"}}`;
    for (let n = 0; n < 3; n += 1) expect(readCut(parts, namesake)).toEqual({ values: undefined, cuts: 1 });
    expect(readCut(parts, namesake)).toEqual({ values: JSON.parse(`[${namesake}]`), cuts: 0 });
  });

  test('brackets that never close are not followed again and again, which would take hours', () => {
    const parts = new RepeatedParts([['extra', 'metadata']]);
    expect(readCut(parts, '{"extra":{"metadata":{"a":'.repeat(1_000_000)).values).toBeUndefined();
  });

  test('nesting is counted with what was cut', () => {
    const deep = `{"text":"${long}","a":${'['.repeat(50)}${']'.repeat(50)}}`;
    const text = `{"extra":{"metadata":${deep}}}`;
    const parts = new RepeatedParts([['extra', 'metadata']]);
    const bytes = Buffer.from(text);
    for (let n = 0; n < 2; n += 1) {
      expect(parts.read(parts.cut(bytes), 54)).toEqual([JSON.parse(text)]);
      expect(() => parts.read(parts.cut(bytes), 53)).toThrow(expect.objectContaining({ code: 'report_too_complex' }));
      expect(() => parts.read({ bytes, cuts: 0 }, 53)).toThrow();
    }
  });
});

test('a slice is found among any others, and nothing else is', () => {
  const text = fc.array(fc.constantFrom('a', 'b', '{}', 'ab'), { maxLength: 12 }).map((all) => `{${all.join('')}}`);
  fc.assert(
    fc.property(fc.uniqueArray(text, { maxLength: 40 }), fc.array(text, { maxLength: 20 }), (known, asked) => {
      const tree = new SliceTree<{ bytes: Buffer }>();
      // Only whole values are asked for, so that none is the start of another.
      const ended = (one: string): Buffer => Buffer.from(`${one};`);
      for (const one of known) tree.add({ bytes: ended(one) });
      for (const one of [...known, ...asked]) {
        const bytes = Buffer.concat([Buffer.from('xx'), ended(one), Buffer.from('ab')]);
        expect(tree.find(bytes, 2, bytes.length)?.bytes.toString()).toBe(known.includes(one) ? `${one};` : undefined);
        expect(tree.find(bytes, 2, bytes.length - 3)).toBeUndefined();
      }
    }),
  );
});
