import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../testing/property-runs.ts';
import { matchEdited } from './match-edited.ts';
import { type ExistingFinding, leftByRuleAndFile, type ReportedFinding, startMatching } from './match-leftovers.ts';
import { matchRenamed } from './match-renamed.ts';

/** A result of a made-up project: what it says, and where. */
interface Result {
  path: string;
  line: number;
  says: string;
}

/** Who continues whom, as `path:line > path:line`, by all rounds as an import plays them. Null: new. */
const continued = (before: readonly Result[], after: readonly Result[]): (string | null)[] => {
  const files = [...new Set([...before, ...after].map((result) => result.path))];
  const numbers = new Map(files.map((path, id) => [path, id]));
  const fileOf = (path: string): number => numbers.get(path) ?? -1;
  const base = ({ path, line, says }: Result) => ({
    identity: `${path} ${says}`,
    definition: says.split('(')[0] ?? '',
    ruleAndFile: `${says.split('(')[0]} ${path}`,
    file: fileOf(path),
    line,
  });
  const existing = before.map((result, n): ExistingFinding => ({ id: `${n}`, isOpen: true, ...base(result) }));
  const reported = after.map((result, n): ReportedFinding => ({ n, ...base(result) }));
  const left = startMatching(existing, reported);
  const renamed = matchRenamed({
    open: left.open,
    waiting: left.waiting,
    keptFiles: new Set(left.byIdentity.map(({ n }) => fileOf(after[n]?.path ?? ''))),
    paths: new Map(files.map((path, id) => [id, path])),
    substances: {
      existing: new Map(before.map((result, n) => [`${n}`, result.says] as const).filter(([, says]) => says !== '')),
      reported: new Map(after.map((result, n) => [n, result.says] as const).filter(([, says]) => says !== '')),
    },
  });
  const { open, waiting } = leftByRuleAndFile(left, renamed);
  const shown = (says: string) => ({ code: says, resource: '' });
  const edited = matchEdited(open, waiting, {
    existing: new Map(before.map((result, n) => [`${n}`, shown(result.says)])),
    reported: new Map(after.map((result, n) => [n, shown(result.says)])),
  });
  const matches = new Map([...left.byIdentity, ...renamed, ...edited].map(({ n, id }) => [n, Number(id)]));
  return after.map((_, n) => {
    const old = before[matches.get(n) ?? -1];
    return old === undefined ? null : `${old.path}:${old.line}`;
  });
};

const project = fc.uniqueArray(
  fc.record({
    path: fc.constantFrom(
      'src/web/a.js',
      'src/web/b.js',
      'src/api/a.js',
      'src/api/deep/c.js',
      'src/main.py',
      'test/a.js',
    ),
    line: fc.integer({ min: 1, max: 300 }),
    says: fc.constantFrom('sql(x)', 'sql(y)', 'sql(z)', 'xss(q)', 'xss(r)', 'path(f)', 'eval(g)', 'eval(h)'),
  }),
  { minLength: 8, maxLength: 40, selector: ({ path, line }) => `${path}:${line}` },
);
const placesOf = (results: readonly Result[]): string[] => results.map(({ path, line }) => `${path}:${line}`);
const move = (results: readonly Result[], to: (path: string) => string, by = 0): Result[] =>
  results.map((result) => ({ ...result, path: to(result.path), line: result.line + by }));
const share = (found: readonly (string | null)[], wanted: readonly (string | null)[]): number =>
  found.filter((place, index) => place === wanted[index]).length / Math.max(1, wanted.length);

const RUNS = { numRuns: propertyRuns(60), seed: 20_261_121 };

test('a folder that was renamed keeps all its results, also where lines moved', () => {
  fc.assert(
    fc.property(project, fc.integer({ min: 0, max: 50 }), (before, by) => {
      const after = move(before, (path) => path.replace(/^src\//, 'packages/shop/src/'), by);
      expect(share(continued(before, after), placesOf(before))).toBe(1);
    }),
    RUNS,
  );
});

test('a file that was renamed keeps its results where it has more than one; none goes to another file', () => {
  fc.assert(
    fc.property(project, fc.integer({ min: 0, max: 50 }), (before, by) => {
      const moved = 'src/web/a.js';
      const after = before.map((result) =>
        result.path === moved ? { ...result, path: 'src/web/renamed.js', line: result.line + by } : result,
      );
      const found = continued(before, after);
      const own = before.filter((result) => result.path === moved);
      before.forEach((result, index) => {
        if (result.path !== moved || own.length > 1) expect(found[index]).toBe(placesOf(before)[index]);
        else expect([null, placesOf(before)[index]]).toContain(found[index]);
      });
    }),
    RUNS,
  );
});

test('a copy of a file is new', () => {
  fc.assert(
    fc.property(project, fc.constantFrom('src/web/copy.js', 'lib/a.js', 'src/copy/web/a.js'), (before, path) => {
      const copied = before.filter((result) => result.path === 'src/web/a.js').map((result) => ({ ...result, path }));
      const found = continued(before, [...before, ...copied]);
      expect(found).toEqual([...placesOf(before), ...copied.map(() => null)]);
    }),
    RUNS,
  );
});

test('two files that changed names take their results along', () => {
  const of = (path: string, ...says: string[]): Result[] =>
    says.map((text, n) => ({ path, line: 10 * n + 1, says: text }));
  const before = [...of('a.js', 'sql(x)', 'xss(q)', 'eval(g)'), ...of('b.js', 'sql(y)', 'path(f)', 'eval(h)')];
  const after = move(before, (path) => (path === 'a.js' ? 'b.js' : 'a.js'), 3);
  expect(continued(before, after)).toEqual(placesOf(before));
});

test('one line of code that stands in many places is no file', () => {
  const result = (path: string, says = 'sql(x)'): Result => ({ path, line: 5, says });
  const everywhere = [result('lib/one.js'), result('lib/two.js')];
  // one folder went, another with the same name of file came: chance
  expect(
    continued(
      [...everywhere, result('old/index.js')],
      [result('lib/one.js'), result('new/index.js'), result('web/index.js')],
    ),
  ).toEqual(['lib/one.js:5', null, null]);
  // nowhere else, and in the same folder: renamed
  expect(continued([result('lib/one.js')], [result('lib/uno.js')])).toEqual(['lib/one.js:5']);
  // neither name nor folder is left
  expect(continued([result('lib/one.js')], [result('web/two.js')])).toEqual([null]);
  expect(continued([result('lib/one.js')], [result('lib/one.py')])).toEqual([null]);
  // says nothing
  expect(continued([result('lib/one.js', '')], [result('lib/uno.js', '')])).toEqual([null]);
});

test('where two files fit as well, neither is taken for the old one', () => {
  const of = (path: string): Result[] => ['sql(x)', 'xss(q)'].map((says, n) => ({ path, line: n + 1, says }));
  expect(continued(of('a/one.js'), [...of('b/two.js'), ...of('c/three.js')])).toEqual([null, null, null, null]);
  expect(continued(of('a/one.js'), [...of('b/one.js'), ...of('c/three.js')])).toEqual([
    'a/one.js:1',
    'a/one.js:2',
    null,
    null,
  ]);
});

test('a file that lost most of its results, or whose name came to be of another, is no rename', () => {
  const of = (path: string, ...says: string[]): Result[] => says.map((text, n) => ({ path, line: n + 1, says: text }));
  expect(continued(of('a.js', 'sql(x)', 'sql(y)', 'sql(z)'), of('b.js', 'sql(x)', 'xss(q)', 'path(f)'))).toEqual([
    null,
    null,
    null,
  ]);
});

test('fifty thousand results in five thousand renamed files are paired in a moment', () => {
  const before = Array.from(
    { length: 50_000 },
    (_, n): Result => ({
      path: `src/part${n % 100}/file${n % 5000}/index.js`,
      line: n,
      says: `sql(${n % 7})`,
    }),
  );
  const after = move(before, (path) => `packages/${path}`, 4);
  const start = performance.now();
  expect(share(continued(before, after), placesOf(before))).toBe(1);
  process.stdout.write(`50,000 results in renamed files: ${Math.round(performance.now() - start)} ms\n`);
});
