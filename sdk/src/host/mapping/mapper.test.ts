import { afterAll, expect, test } from 'vitest';
import { createMapper } from './mapper.ts';

const mapper = createMapper({ timeoutMs: 3_000 });
afterAll(() => mapper.close());

const value = async (it: string, input: unknown = {}) => {
  const [record] = await mapper.map({
    items: [{ input }],
    bindings: { config: { region: 'eu' } },
    expressions: { it },
  });
  return record?.['it'];
};

test('expressions see the input and what is bound, and give plain data', async () => {
  expect(await value('a.b', { a: [{ b: 1 }, { b: 2 }] })).toEqual([1, 2]);
  expect(await value('$config.region')).toBe('eu');
  expect(await value('nothing.here')).toBeUndefined();
  await expect(value('function($x) { $x }')).rejects.toThrow('gives no plain value');
});

test('each record is mapped, in its order, and sees what holds it', async () => {
  const items = [
    { input: { id: 1 }, parent: { name: 'a' } },
    { input: { id: 2 }, parent: { name: 'b' } },
    { input: {} },
  ];
  const expressions = { id: 'id', of: '$parent.name' };
  expect(await mapper.map({ items, bindings: {}, expressions })).toEqual([
    { id: 1, of: 'a' },
    { id: 2, of: 'b' },
    { id: undefined, of: undefined },
  ]);
});

test('what fails says where and why, and no value', async () => {
  const failing = value('$number(secret)', { secret: 'hunter2' });
  await expect(failing).rejects.toThrow('"it": JSONata says D3030.');
  await expect(failing).rejects.not.toThrow(/hunter2/);
});

test.each([
  ['an endless recursion', '($f := function($n) { $f($n + 1) }; $f(0))', /longer than 3 s|JSONata says/],
  [
    'an endless recursion that grows',
    '($f := function($n) { 1 + $f($n & "x") }; $f(""))',
    /longer|memory|JSONata says|call stack/,
  ],
  [
    'more memory than there is',
    '($f := function($s) { $length($s) > 4e8 ? $s : $f($s & $s & $s) }; $map([1..64], function($i) { $f("0123456789" & $i) }))',
    /longer|memory|JSONata says|string length/,
  ],
  ['a list without an end', '[1..1e9]', /longer|memory|JSONata says/],
])('%s ends, and the next question is answered', async (_name, expression, words) => {
  await expect(value(expression)).rejects.toThrow(words);
  expect(await value('1 + 1')).toBe(2);
});

test('nothing of the process can be reached', async () => {
  for (const expression of [
    'process',
    '$process',
    '$global',
    'constructor',
    '$.constructor',
    '__proto__.constructor',
    '$lookup($, "constructor")',
    '$constructor',
    '$map.constructor',
  ]) {
    expect(await value(expression, { a: 1 }), expression).toBeUndefined();
  }
  for (const way of ['$toString', '$sift', '$map', '(function($x) { $x })']) {
    const reached = await value(`${way}.constructor("return process")()`).catch(() => undefined);
    expect(reached, way).toBeUndefined();
  }
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
  await value('$merge([$, {"__proto__": {"polluted": true}}])', {});
  expect(await value('polluted', {})).toBeUndefined();
});

test('a question behind a stuck one waits its turn and is answered', async () => {
  const stuck = value('($f := function($n) { $f($n + 1) }; $f(0))');
  const next = value('2 + 2');
  await expect(stuck).rejects.toThrow();
  expect(await next).toBe(4);
});

test('after it is closed nothing is answered', async () => {
  const closed = createMapper();
  await closed.close();
  await expect(closed.map({ items: [{ input: {} }], bindings: {}, expressions: { it: '1' } })).rejects.toThrow(
    /removed/,
  );
});
