import { afterAll, beforeAll, expect, test } from 'vitest';
import { createImportScene, type ImportScene } from '../../../testing/import-scene.ts';
import { code, openReportTools, report } from '../../../testing/line-report.ts';
import { propertyRuns } from '../../../testing/property-runs.ts';

let scene: ImportScene;
let plain: ImportScene;
beforeAll(async () => {
  scene = await createImportScene();
  plain = await createImportScene(await openReportTools());
});
afterAll(async () => {
  await scene.test.drop();
  await plain.test.drop();
});

interface Result {
  rule: string;
  path: string;
  line: number;
  code: string;
}

const at = (line: number) => ({ line, col: 1, offset: 0 });
/** How seven formats say a result: four with code (one as a secret), three without. */
const FORMATS: Record<string, (results: readonly Result[]) => unknown> = {
  opengrep: (results) => ({
    ...{ version: '1.93.0', errors: [], paths: { scanned: [] } },
    results: results.map(({ rule, path, line, code: lines }) => ({
      ...{ check_id: rule, path, start: at(line), end: at(line) },
      extra: { lines, message: rule, severity: 'ERROR', metadata: {} },
    })),
  }),
  bandit: (results) => ({
    ...{ errors: [], generated_at: '2026-01-01T00:00:00Z', metrics: {} },
    results: results.map(({ rule, path, line, code: text }) => ({
      ...{
        test_id: rule,
        test_name: rule,
        filename: path,
        line_number: line,
        line_range: [line],
        code: `${line} ${text}\n`,
      },
      ...{ issue_text: rule, issue_severity: 'HIGH', issue_confidence: 'HIGH', more_info: '' },
    })),
  }),
  sarif: (results) => ({
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'own', rules: [] } },
        results: results.map(({ rule, path, line, code: text }) => ({
          ...{ ruleId: rule, message: { text: rule } },
          locations: [
            { physicalLocation: { artifactLocation: { uri: path }, region: { startLine: line, snippet: { text } } } },
          ],
        })),
      },
    ],
  }),
  gitleaks: (results) =>
    results.map(({ rule, path, line, code: text }) => ({
      ...{ Description: rule, RuleID: rule, File: path, StartLine: line, EndLine: line, StartColumn: 1, EndColumn: 9 },
      ...{ Match: text, Secret: text, Commit: '', Entropy: 0, Author: '', Email: '', Date: '', Message: '', Tags: [] },
    })),
  gitlab: (results) => ({
    ...{ version: '15.0.0', scan: { type: 'sast', scanner: { id: 'x', name: 'x' } } },
    vulnerabilities: results.map(({ rule, path, line }) => ({
      ...{ id: `${rule} ${path} ${line}`, name: rule, description: rule, severity: 'High' },
      ...{ location: { file: path, start_line: line }, identifiers: [{ type: 'x', name: rule, value: rule }] },
    })),
  }),
  hadolint: (results) =>
    results.map(({ rule, path, line }) => ({
      ...{ line, code: rule, message: rule, column: 1, file: path, level: 'error' },
    })),
  tflint: (results) => ({
    issues: results.map(({ rule, path, line }) => ({
      ...{ rule: { name: rule, severity: 'error', link: '' }, message: rule, callers: [] },
      range: { filename: path, start: { line, column: 1 }, end: { line, column: 2 } },
    })),
    errors: [],
  }),
};

/** The same numbers for the same seed, equally spread in [0, 1). */
const randomOf = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 0) / 4_294_967_296;
  };
};
const CALLS = [
  'exec(request.body.command)',
  'db.query("select * from a where b=" + id)',
  'fs.readFile(base + name, done)',
];
const OTHER_CALLS = ['render(template)', 'crypto.createHash(algorithm).update(value)', 'eval(left + right)'];
const pick = (list: readonly string[], random: () => number): string => list[Math.floor(random() * list.length)] ?? '';

/** A file of its own for each case: one result goes, another of the same rule comes elsewhere, what else is in the file moves or stays. */
const caseOf = (index: number, random: () => number): { before: Result[]; after: Result[] } => {
  const path = `src/case-${index}.js`;
  const line = 1 + Math.floor(random() * 600);
  const shift = random() < 0.5 ? 0 : Math.floor(random() * 40);
  const added = line + shift + 30 + Math.floor(random() * 300);
  const others = Array.from({ length: random() < 0.4 ? 0 : 3 }, (_, n) => ({
    ...{ rule: `OTHER${n}`, path, line: 40 + 90 * n, code: `steady(${n}, ${index})` },
  }));
  return {
    before: [{ rule: 'RULE', path, line, code: pick(CALLS, random) }, ...others],
    after: [
      { rule: 'RULE', path, line: added, code: pick(OTHER_CALLS, random) },
      ...others.map((other) => ({ ...other, line: other.line + shift })),
    ],
  };
};

const CASES = Math.max(200, propertyRuns(200));

test.each(Object.keys(FORMATS))('%s: what was removed here and added there never inherits a verdict', async (tool) => {
  const write = FORMATS[tool];
  if (write === undefined) throw new Error('No such format');
  const random = randomOf(20_261_122);
  const cases = Array.from({ length: CASES }, (_, index) => caseOf(index, random));
  // a report that has most of what is open may close the rest unasked
  const steady = Array.from({ length: 2 * CASES }, (_, index) => ({
    ...{ rule: 'OTHER', path: `src/steady-${index}.js`, line: 9, code: `steady(${index})` },
  }));
  const repositoryId = await scene.addRepository(`removed and added ${tool}`);
  await scene.import(tool, JSON.stringify(write([...steady, ...cases.flatMap(({ before }) => before)])), repositoryId);
  const judged = await scene.rows(
    `with judged as (
       update findings f set verdict = 'false_positive' from finding_definitions u
       where f.repository_id = $1 and u.id = f.definition_id and u.rule_id not like '%OTHER%' returning f.client_id, f.id
     )
     insert into finding_events (client_id, finding_id, kind, actor, from_value, to_value)
     select client_id, id, 'verdict', gen_random_uuid(), 'none', 'false_positive' from judged returning 1`,
    [repositoryId],
  );
  expect(judged).toHaveLength(CASES);
  const counts = await scene.import(
    tool,
    JSON.stringify(write([...steady, ...cases.flatMap(({ after }) => after)])),
    repositoryId,
  );
  const [state] = await scene.rows(
    `select count(*) filter (where f.verdict = 'false_positive' and f.status <> 'mitigated')::integer as inherited,
       count(*) filter (where f.verdict = 'none' and f.status <> 'mitigated' and u.rule_id not like '%OTHER%')::integer as fresh
     from findings f join finding_definitions u on u.id = f.definition_id where f.repository_id = $1`,
    [repositoryId],
  );
  expect(state).toEqual({ inherited: 0, fresh: CASES });
  expect(counts).toMatchObject({ new: CASES });
});

test.each(['opengrep', 'bandit', 'sarif'])(
  '%s: code that was edited where it stands, or moved with its file, stays itself',
  async (tool) => {
    const write = FORMATS[tool];
    if (write === undefined) throw new Error('No such format');
    const random = randomOf(7);
    const cases = Array.from({ length: CASES }, (_, index) => {
      const shift = Math.floor(random() * 100);
      const result = {
        rule: 'RULE',
        path: `src/edit-${index}.js`,
        line: 50 + Math.floor(random() * 500),
        code: pick(CALLS, random),
      };
      const mark = { ...result, rule: 'OTHER', line: 3, code: `steady(${index})` };
      const edited = { ...result, line: result.line + shift, code: result.code.replace(/\)$/, ', options)') };
      return { before: [result, mark], after: [edited, { ...mark, line: mark.line + shift }] };
    });
    const repositoryId = await scene.addRepository(`edited ${tool}`);
    await scene.import(tool, JSON.stringify(write(cases.flatMap(({ before }) => before))), repositoryId);
    expect(
      await scene.import(tool, JSON.stringify(write(cases.flatMap(({ after }) => after))), repositoryId),
    ).toMatchObject({ new: 0, closed: 0, unchanged: 2 * CASES });
  },
);

test('results of one rule, file and line keep their verdicts by column and message when their severity changes', async () => {
  const repositoryId = await plain.addRepository('crowd');
  const crowd = (severity: 'high' | 'low', order: readonly number[]) =>
    report(
      ...order.map((n) =>
        code('rule', 'a.js', 10, 'all(of, this)', {
          ...{ severity, description: `value ${Math.floor(n / 2)} is tainted` },
          locations: [{ path: 'a.js', startLine: 10, startColumn: 5 + (n % 2), snippet: 'all(of, this)' }],
        }),
      ),
    );
  await plain.import('scanner', crowd('high', [0, 1, 2, 3, 4, 5]), repositoryId);
  const rows = () =>
    plain.rows<{ id: string; place: string }>(
      `select f.id, d.description || ' ' || f.start_column as place from findings f join finding_details d on d.finding_id = f.id
       where f.repository_id = $1 order by f.id`,
      [repositoryId],
    );
  const before = await rows();
  expect(await plain.import('scanner', crowd('low', [5, 3, 1, 0, 2, 4]), repositoryId)).toMatchObject({
    new: 0,
    closed: 0,
  });
  expect(await rows()).toEqual(before);
});

test('of equal results the right one closes where the rest of the file moved without being staged', async () => {
  const repositoryId = await plain.addRepository('anchored');
  const alone = (line: number) => code('xss', 'a.js', line, 'send(z)');
  const equal = (line: number) => code('sql', 'a.js', line, 'query(x)');
  await plain.import('scanner', report(alone(5), equal(10), equal(30), equal(50)), repositoryId);
  await plain.import('scanner', report(alone(22), equal(47), equal(67)), repositoryId);
  const left = await plain.rows(
    `select l.start_line as line, f.ordinal, f.status from findings f join finding_locations l on l.finding_id = f.id
     join finding_definitions u on u.id = f.definition_id where f.repository_id = $1 and u.rule_id = 'sql' order by f.ordinal`,
    [repositoryId],
  );
  expect(left).toEqual([
    { ordinal: 0, line: 10, status: 'mitigated' },
    { ordinal: 1, line: 47, status: 'enriched' },
    { ordinal: 2, line: 67, status: 'enriched' },
  ]);
});
