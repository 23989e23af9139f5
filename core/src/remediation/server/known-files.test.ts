import { expect, test } from 'vitest';
import { KnownFiles } from './known-files.ts';
import type { SourceStep } from './source-files.ts';

/** A repository whose branch `main` stands at a commit. */
const repository = (branches: () => readonly { name: string; commit: string }[]) => {
  let asked = 0;
  const scm = {
    async *listBranches() {
      asked += 1;
      yield* branches();
    },
  };
  // biome-ignore lint/suspicious/noExplicitAny: nothing else of a provider is asked
  const step = { scm, ctx: {}, repository: '1' } as any as SourceStep;
  return { step, asked: () => asked };
};
const SOURCE = { sourceControl: 'gitea', externalId: '1', repository: 'shop', branch: 'main' };
const file = (path: string, content = path) => ({ path, content, sha256: 'x' });

test('files are of one commit: kept while the branch stands there, dropped once it has moved', async () => {
  let now = 0;
  let commit = 'a';
  const { step, asked } = repository(() => [{ name: 'main', commit }]);
  const known = new KnownFiles(() => now);
  const first = await known.at(step, SOURCE);
  known.keep(first!, file('a.txt'));
  now = 59_000;
  commit = 'b';
  expect(await known.at(step, SOURCE)).toMatchObject({ commit: 'a' });
  expect(asked()).toBe(1);
  now = 60_000;
  const moved = await known.at(step, SOURCE);
  expect([moved?.commit, moved?.files.size, asked()]).toEqual(['b', 0, 2]);
  known.keep(moved!, file('b.txt'));
  now = 130_000;
  expect((await known.at(step, SOURCE))?.files.has('b.txt')).toBe(true);
  // the same number at another provider is another repository
  expect((await known.at(step, { ...SOURCE, sourceControl: 'gitlab' }))?.files.size).toBe(0);
});

test('a branch that is not there, or among too many, is not remembered; memory is bounded', async () => {
  const many = Array.from({ length: 2000 }, (_, index) => ({ name: `b${index}`, commit: 'a' }));
  for (const branches of [[], [...many, { name: 'main', commit: 'a' }]])
    expect(await new KnownFiles().at(repository(() => branches).step, SOURCE)).toBeUndefined();
  const known = new KnownFiles();
  const snapshot = await known.at(repository(() => [{ name: 'main', commit: 'a' }]).step, SOURCE);
  const large = 'x'.repeat(10 * 1024 * 1024);
  for (const path of ['1', '2', '3']) known.keep(snapshot!, file(path, large));
  expect(snapshot?.files.size).toBe(3);
  known.keep(snapshot!, file('4', large));
  expect([...(snapshot?.files.keys() ?? [])]).toEqual(['4']);
});
