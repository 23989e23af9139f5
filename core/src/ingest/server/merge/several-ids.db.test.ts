import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createImportScene, type ImportScene } from '../../../testing/import-scene.ts';
import { code, openReportTools, report } from '../../../testing/line-report.ts';
import { enqueueSettlement, enqueueUndo } from '../scans/undo-scan.ts';

const SAMPLES = new URL('../../../../../plugins/scanners/src/server/__fixtures__/reports/', import.meta.url);
const sample = (name: string): Promise<string> => readFile(new URL(name, SAMPLES), 'utf8');

let scene: ImportScene;
let repositoryId: string;

const scopes = async (): Promise<string[]> =>
  (
    await scene.rows<{ tool: string }>('select tool from scan_scopes where repository_id = $1 order by id', [
      repositoryId,
    ])
  ).map(({ tool }) => tool);
const findings = () =>
  scene.rows<{ type: string; status: string; count: number }>(
    'select type, status, count(*)::integer as count from findings where repository_id = $1 group by 1, 2 order by 1, 2',
    [repositoryId],
  );

describe('one report of a real tool under several ids', () => {
  beforeAll(async () => {
    scene = await createImportScene();
  });
  afterAll(() => scene.test.drop());
  beforeEach(async (context) => {
    repositoryId = await scene.addRepository(context.task.name);
  });
  const importAs = async (ids: readonly string[], file: string) => {
    const text = await sample(file);
    const all = [];
    for (const id of ids) all.push(await scene.import(scene.tools.resolveTool(id)?.id ?? id, text, repositoryId));
    return all;
  };

  const CASES = [
    ['opengrep/many_findings.json', ['opengrep', 'semgrep', 'semgrep_cli', 'opengrep']],
    ['opengrep/many_findings.json', ['semgrep_cli', 'opengrep']],
    ['checkov/hd_checkov_with_skips.json', ['checkov', 'checkov-iac', 'checkov-ci/cd', 'checkov']],
    ['checkov/hd_checkov_with_skips.json', ['checkov-iac', 'checkov-container']],
    ['kics/many_findings.json', ['kics-iac', 'kics-ci/cd', 'kics']],
    ['trivy/golden_secrets.json', ['trivy-secrets', 'trivy', 'trivy-container']],
    ['trivy/golden_npm.json', ['trivy-sca', 'trivy-container', 'trivy']],
    ['gitlab/gitlab_sast__gl-sast-report-1-vuln_v15.json', ['gitlab_sast', 'gitlab', 'gitlab_dependency']],
  ] as const;
  test.each(CASES)('%s as %s', async (file, ids) => {
    const [first, ...later] = await importAs(ids, file);
    expect(first?.total).toBeGreaterThan(0);
    const { total, components } = first ?? {};
    for (const counts of later) {
      expect(counts).toMatchObject({ new: 0, closed: 0, reopened: 0, held: 0, unchanged: total, total, components });
    }
    expect(await scopes()).toHaveLength(1);
    expect((await findings()).reduce((sum, { count }) => sum + count, 0)).toBe(total);
  });

  test('the entry of the newest upload says of which kind the findings are', async () => {
    await importAs(['checkov-iac'], 'checkov/hd_checkov_with_skips.json');
    const before = await findings();
    await importAs(['checkov-ci/cd'], 'checkov/hd_checkov_with_skips.json');
    expect(await findings()).toEqual(before.map((row) => (row.type === 'IaC' ? { ...row, type: 'CI/CD' } : row)));
  });

  test('different reports under entries of different kinds stay apart, also the second time', async () => {
    const [one, two] = ['kics/many_findings.json', 'kics/E2E_CLI_036_RESULT_2.json'];
    const [first] = await importAs(['kics-iac'], one);
    const [second] = await importAs(['kics-ci/cd'], two);
    const again = [...(await importAs(['kics-iac'], one)), ...(await importAs(['kics-ci/cd'], two))];
    for (const counts of [second, ...again]) expect(counts).toMatchObject({ closed: 0, held: 0 });
    expect(second?.new).toBe(second?.total);
    expect(again.map((counts) => counts.unchanged)).toEqual([first?.total, second?.total]);
    expect(await scopes()).toEqual(['kics-iac', 'kics-ci/cd']);
  });
});

describe('what reports under one id do to another’s', () => {
  beforeAll(async () => {
    scene = await createImportScene(await openReportTools());
  });
  afterAll(() => scene.test.drop());
  beforeEach(async (context) => {
    repositoryId = await scene.addRepository(context.task.name);
  });

  const result = (rule: string) => code(rule, `src/${rule}.js`, 10, `use(${rule})`);
  const reportOf = (rules: string, more: object[] = []): string => report(...more, ...[...rules].map(result));
  const dated = (date: string) => [{ kind: 'report', date }];
  const run = async (id: string) => {
    expect(await scene.run(id)).toMatchObject({ outcome: 'done' });
    const [scan] = await scene.rows<{ id: string; tool: string; status: string; counts: object }>(
      'select id, tool, status, counts from scans where id = $1',
      [id],
    );
    return scan!;
  };
  const upload = async (tool: string, text: string, branch?: string) =>
    run(await scene.store(tool, text, repositoryId, branch));
  const open = async (): Promise<string> =>
    (
      await scene.rows<{ rule: string }>(
        `select u.rule_id as rule from findings f join finding_definitions u on u.client_id = f.client_id and u.id = f.definition_id
         where f.repository_id = $1 and f.status <> 'mitigated' order by 1`,
        [repositoryId],
      )
    )
      .map(({ rule }) => rule)
      .join('');
  const jobs = { enqueue: async () => undefined };
  const order = async (enqueue: typeof enqueueUndo, scanId: string) => {
    const { clientId } = scene;
    return run(
      await scene.test.database.forClient(clientId, (db) => enqueue(db, jobs, { clientId, scanId, userId: clientId })),
    );
  };

  test('a report of the importer closes what its entry’s had, and the other way about', async () => {
    await upload('silent-code', reportOf('abcd'));
    expect((await upload('silent', reportOf('abc'))).counts).toMatchObject({ closed: 1, unchanged: 3, new: 0 });
    expect((await upload('silent-more-code', reportOf('bcde'))).counts).toMatchObject({
      closed: 1,
      unchanged: 2,
      reopened: 1,
      new: 1,
    });
    expect(await open()).toBe('bcde');
    expect(await scopes()).toEqual(['silent-code']);
  });

  test('what most of is missing from is held back, whichever id it came under, and closed when it is confirmed', async () => {
    await upload('silent-code', reportOf('abcd'));
    const held = await upload('silent', reportOf('xyz'));
    expect(held.counts).toMatchObject({ new: 3, closed: 0, held: 4 });
    const confirm: typeof enqueueUndo = (db, queue, of) => enqueueSettlement(db, queue, { ...of, decision: 'confirm' });
    expect((await order(confirm, held.id)).counts).toMatchObject({ closed: 4, held: 0 });
    expect(await open()).toBe('xyz');
    expect((await upload('silent-code', report())).counts).toMatchObject({ closed: 0, held: 3 });
  });

  test('a part that is split off stands under the id of its report, and is found under the other', async () => {
    await upload('silent-code', reportOf('abcd'));
    const held = await upload('silent', reportOf('ax'));
    const split: typeof enqueueUndo = (db, queue, of) =>
      enqueueSettlement(db, queue, { ...of, decision: 'split', part: 'front' });
    await order(split, held.id);
    expect((await upload('silent-code', reportOf('a'))).counts).toMatchObject({ closed: 1, unchanged: 1, new: 0 });
    expect((await upload('silent', reportOf('bcd'))).counts).toMatchObject({ closed: 0, unchanged: 3, new: 0 });
    expect(await open()).toBe('abcd');
  });

  test('an older report under another id is outdated', async () => {
    await upload('silent-code', reportOf('ab', dated('2026-05-02T00:00:00Z')));
    expect(await upload('silent', reportOf('abc', dated('2026-05-01T00:00:00Z')))).toMatchObject({
      status: 'outdated',
    });
    expect(await open()).toBe('ab');
  });

  test('an import that is taken back leaves what the report before said under its own id', async () => {
    await upload('silent-code', reportOf('abc'));
    const second = await upload('silent', reportOf('bcd'));
    const undone = await order(enqueueUndo, second.id);
    expect(undone.tool).toBe('silent-code');
    expect(await open()).toBe('abc');
    await expect(order(enqueueUndo, second.id)).rejects.toThrow();
  });

  test('an import is not taken back while one of another id stands on it', async () => {
    const first = await upload('silent-code', reportOf('abc'));
    await upload('silent', reportOf('bcd'));
    await expect(order(enqueueUndo, first.id)).rejects.toThrow('A newer import');
  });

  test('a report of another kind is the same where it has most of what stands open, else of its own', async () => {
    await upload('silent-code', reportOf('abcdefgh'));
    expect((await upload('silent-cloud', reportOf('hxyz'))).counts).toMatchObject({ new: 4, closed: 0, held: 0 });
    expect((await upload('silent-cloud', reportOf('abcdefg'))).counts).toMatchObject({ new: 0, closed: 1, held: 0 });
    expect(await scopes()).toEqual(['silent-code', 'silent-cloud']);
  });

  test('an empty report of another kind closes nothing, nor asks', async () => {
    await upload('silent-code', reportOf('ab'));
    expect((await upload('silent-cloud', report())).counts).toMatchObject({ closed: 0, held: 0 });
    expect(await open()).toBe('ab');
  });

  test('a decision goes from branch to branch under another id', async () => {
    await upload('silent-code', reportOf('ab'));
    await scene.rows(`update findings set verdict = 'false_positive' where repository_id = $1`, [repositoryId]);
    await scene.rows(
      `insert into finding_events (client_id, finding_id, kind, actor, from_value, to_value)
       select client_id, id, 'verdict', client_id, 'none', 'false_positive' from findings where repository_id = $1`,
      [repositoryId],
    );
    await upload('silent', reportOf('ab'), 'feature');
    const verdicts = await scene.rows<{ verdict: string }>(
      `select f.verdict from findings f join repository_branches b on b.id = f.repository_id where b.repository_id = $1`,
      [repositoryId],
    );
    expect(verdicts).toEqual([{ verdict: 'false_positive' }, { verdict: 'false_positive' }]);
  });
});
