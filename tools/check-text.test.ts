import path from 'node:path';
import { expect, test } from 'vitest';
import { checkText, textIssues } from './checks.ts';

test.each([
  ["const file = '/wor" + "k/main/x';", 'names a path of one machine'],
  ['cd /ho' + 'me/anna/project', 'names a path of one machine'],
  ['  "resolved": "ht' + 'tps://example.org/a.tgz"', 'resolves a package from an address'],
  ['https://regis' + 'try.npmjs.org/react', 'names a package registry'],
  ['// TO' + 'DO later', 'holds a task without an owner'],
  ['<<<<' + '<<< HEAD', 'holds a merge conflict'],
])('%s', (line, what) => {
  expect(textIssues('a.ts', `first\n${line}`)).toEqual([{ where: 'a.ts:2', what }]);
});

test.each(['// TO' + 'DO(anna): drop in March', 'see the homepage', "import 'x/home/y'", 'routes/root/login'])(
  '%s is fine',
  (line) => {
    expect(textIssues('a.ts', line)).toEqual([]);
  },
);

test('no file of ours names a machine, a registry or an unowned task', async () => {
  expect(await checkText(path.join(import.meta.dirname, '..'))).toEqual([]);
});
