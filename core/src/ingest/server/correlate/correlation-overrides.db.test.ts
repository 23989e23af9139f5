import { randomUUID } from 'node:crypto';
import { startTestServer, type TestServer } from '@breakwater/tools/testing/server.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createImportScene, type ImportScene } from '../../../testing/import-scene.ts';
import { code, dependency, openReportTools, report } from '../../../testing/line-report.ts';
import { insertRandomFindings, type KnownFinding } from '../../../testing/random-findings.ts';
import { findRollupDifferences } from '../../../testing/snapshot.ts';
import { SAME_ISSUE } from './correlation-overrides.ts';

const { joinFindings, splitFinding, undoJoin, undoSplit } = SAME_ISSUE;

describe('with imports', () => {
  let scene: ImportScene;
  let repositoryId: string;
  const actor = randomUUID();
  beforeAll(async () => {
    scene = await createImportScene(await openReportTools());
  });
  afterAll(() => scene.test.drop());
  beforeEach(async (context) => {
    repositoryId = await scene.addRepository(context.task.name);
  });

  const upload = (tool: string, text: string) => scene.import(tool, text, repositoryId);
  const marks = async (): Promise<string[]> =>
    (
      await scene.rows<{ mark: string }>(
        `select s.rule_id || coalesce(' = ' || os.rule_id || ' ' || f.duplicate_certainty, '') as mark
         from findings f join finding_definitions s on s.client_id = f.client_id and s.id = f.definition_id
         left join findings o on o.client_id = f.client_id and o.id = f.duplicate_of
         left join finding_definitions os on os.client_id = o.client_id and os.id = o.definition_id
         where f.repository_id = $1 order by s.rule_id`,
        [repositoryId],
      )
    ).map((row) => row.mark);
  const idOf = async (rule: string): Promise<string> => {
    const [row] = await scene.rows<{ id: string }>(
      `select f.id from findings f join finding_definitions s on s.client_id = f.client_id and s.id = f.definition_id
       where f.repository_id = $1 and s.rule_id = $2`,
      [repositoryId, rule],
    );
    return row!.id;
  };
  const decide = async (change: typeof splitFinding, rule: string, reason?: string): Promise<void> => {
    const id = await idOf(rule);
    await scene.test.database.forClient(scene.clientId, (db) =>
      change(db, { clientId: scene.clientId, actor, id, reason }),
    );
  };
  const decideBoth = async (
    change: typeof joinFindings,
    rule: string,
    other: string,
    reason?: string,
  ): Promise<void> => {
    const [id, otherId] = [await idOf(rule), await idOf(other)];
    await scene.test.database.forClient(scene.clientId, (db) =>
      change(db, { clientId: scene.clientId, actor, id, otherId, reason }),
    );
  };
  const events = async (rule: string) =>
    scene.rows(
      'select kind, from_value, to_value, reason, actor from finding_events where finding_id = $1 and actor is not null order by at, id',
      [await idOf(rule)],
    );

  const SCANNER = report(code('a', 'x.js', 4, 'q'));
  const OTHER = report(code('b', 'x.js', 4, 'q'), code('c', 'x.js', 4, 'q'));

  test('a split holds over re-imports with and without changes, and can be taken back', async () => {
    await upload('scanner', SCANNER);
    await upload('other', OTHER);
    expect(await marks()).toEqual(['a', 'b = a 2', 'c = a 2']);
    await decide(splitFinding, 'b', ' another\0 parameter ');
    expect(await marks()).toEqual(['a', 'b', 'c = a 2']);
    await upload('other', OTHER);
    await upload('other', report(code('b', 'x.js', 4, 'q', { severity: 'low' }), code('c', 'x.js', 4, 'q')));
    await upload('scanner', '');
    await upload('scanner', SCANNER);
    expect((await marks())[1]).toBe('b');
    expect(await findRollupDifferences(scene)).toEqual([]);
    await decide(undoSplit, 'b');
    expect((await marks()).filter((mark) => mark.includes('='))).toHaveLength(2);
    expect(await events('b')).toEqual([
      { kind: 'split', from_value: null, to_value: 'split', reason: 'another parameter', actor },
      { kind: 'split', from_value: 'split', to_value: null, reason: null, actor },
    ]);
    expect(await findRollupDifferences(scene)).toEqual([]);
  });

  test('an original that is split leaves its duplicates to one of themselves', async () => {
    await upload('scanner', SCANNER);
    await upload('other', OTHER);
    await decide(splitFinding, 'a');
    expect(await marks()).toEqual(['a', 'b', 'c = b 2']);
  });

  test('a join holds over re-imports, across files and kinds, and can be taken back', async () => {
    const lib = dependency('CVE-2024-1', 'lib', '1');
    await upload('scanner', SCANNER);
    await upload('other', report(code('z', 'far.js', 90, 'w'), lib));
    await decideBoth(joinFindings, 'z', 'a', 'one flaw, two files');
    expect((await marks()).filter((mark) => mark.endsWith(' 3'))).toHaveLength(1);
    await decideBoth(joinFindings, 'CVE-2024-1', 'z');
    const joined = await marks();
    expect(joined.filter((mark) => mark.endsWith(' 3'))).toHaveLength(2);
    await upload('other', report(code('z', 'far.js', 91, 'w'), lib));
    await upload('scanner', report(code('a', 'x.js', 9, 'q'), code('new', 'x.js', 20, 'n')));
    expect((await marks()).filter((mark) => !mark.startsWith('new'))).toEqual(joined);
    expect(await findRollupDifferences(scene)).toEqual([]);
    await decideBoth(undoJoin, 'a', 'z');
    await decideBoth(undoJoin, 'z', 'CVE-2024-1');
    expect(await marks()).toEqual(['CVE-2024-1', 'a', 'new', 'z']);
    expect((await events('z')).map((event) => Object.values(event).slice(0, 3))).toEqual([
      ['joined', null, 'Rule a (scanner)'],
      ['joined', null, 'CVE-2024-1 in lib (other)'],
      ['joined', 'Rule a (scanner)', null],
      ['joined', 'CVE-2024-1 in lib (other)', null],
    ]);
  });

  test('the later word counts: a split undoes a join, a join after it joins again', async () => {
    await upload('scanner', SCANNER);
    await upload('other', report(code('z', 'far.js', 90, 'w')));
    await decideBoth(joinFindings, 'z', 'a');
    await decide(splitFinding, 'z');
    expect(await marks()).toEqual(['a', 'z']);
    await decideBoth(joinFindings, 'a', 'z');
    expect((await marks()).filter((mark) => mark.endsWith(' 3'))).toHaveLength(1);
  });

  test('what makes no sense is refused with a reason', async () => {
    await upload('scanner', report(code('a', 'x.js', 4, 'q'), code('d', 'y.js', 4, 'q')));
    await upload('other', report(code('b', 'x.js', 4, 'q')));
    const isConflict = (text: string) => ({ code: 'conflict', userMessage: expect.stringContaining(text) });
    await expect(decide(splitFinding, 'd')).rejects.toMatchObject(isConflict('nothing to split'));
    await expect(decide(undoSplit, 'd')).rejects.toMatchObject(isConflict('Nobody has split'));
    await expect(decideBoth(joinFindings, 'a', 'b')).rejects.toMatchObject(isConflict('already'));
    await expect(decideBoth(joinFindings, 'a', 'a')).rejects.toMatchObject(isConflict('itself'));
    await expect(decideBoth(undoJoin, 'a', 'd')).rejects.toMatchObject(isConflict('Nobody has joined'));
    await upload('scanner', SCANNER);
    await expect(decideBoth(joinFindings, 'b', 'd')).rejects.toMatchObject(isConflict('closed'));
    expect(await scene.rows('select 1 from correlation_overrides where repository_id = $1', [repositoryId])).toEqual(
      [],
    );
  });
});

describe('over HTTP', () => {
  let server: TestServer;
  let pair: KnownFinding[];
  beforeAll(async () => {
    server = await startTestServer();
    const { users, scene } = server;
    const { findings } = await insertRandomFindings(scene.owner, {
      ...{ clientId: users.clientId, users: [users.developer.id], count: 150, start: 5 },
    });
    const open = findings.filter((one) => one.status !== 'mitigated' && !one.is_duplicate && !one.is_subfinding);
    const first = open.find((one) => open.filter((other) => other.repository_id === one.repository_id).length > 1);
    pair = open.filter((one) => one.repository_id === first?.repository_id).slice(0, 2);
  });
  afterAll(() => server.close());

  test('who may decide does, with a reason that the history shows; others may not', async () => {
    const [one, other] = pair.map((finding) => finding.id);
    const join = (as: 'admin' | 'cyberoper' | 'developer', body: object) =>
      server.call('POST', `/findings/${one}/join`, { as, body });
    expect((await join('developer', { with: other })).status).toBe(403);
    expect((await join('admin', { with: randomUUID() })).status).toBe(404);
    expect((await join('admin', {})).status).toBe(422);
    const joined = await join('cyberoper', { with: other, reason: 'One flaw' });
    expect(joined.status).toBe(200);
    expect(joined.body.data.attributes.occurrences).toMatchObject([{ _id: other, certainty: 'person' }]);
    const history = await server.call('GET', `/findings/${other}/history`, { as: 'admin' });
    expect(history.body.data[0].attributes).toMatchObject({
      kind: 'joined',
      reason: 'One flaw',
      actor: server.users.cyberoper.username,
    });
    const undone = await server.call('DELETE', `/findings/${one}/join?with=${other}`, { as: 'admin' });
    expect(undone.body.data.attributes.occurrences).toEqual([]);
    await join('admin', { with: other });
    const split = await server.call('POST', `/findings/${one}/split`, { as: 'admin', body: { reason: 'No' } });
    expect(split.body.data.attributes).toMatchObject({ is_duplicate: false, occurrences: [] });
    expect((await server.call('POST', `/findings/${one}/split`, { as: 'admin', body: {} })).status).toBe(409);
    const back = await server.call('DELETE', `/findings/${one}/split`, { as: 'admin' });
    expect(back.body.data.attributes.occurrences).toMatchObject([{ _id: other }]);
  });

  test('the one that stands for others can be split from them, wherever they are', async () => {
    const [one, other] = pair.map((finding) => finding.id);
    const attributesOf = async (id: string | undefined) =>
      (await server.call('GET', `/findings/${id}`, { as: 'admin' })).body.data.attributes;
    const [original, duplicate] = (await attributesOf(one)).is_duplicate ? [other, one] : [one, other];
    const split = await server.call('POST', `/findings/${original}/split`, { as: 'admin', body: {} });
    expect(split.body.data.attributes.occurrences).toEqual([]);
    expect((await attributesOf(duplicate)).is_duplicate).toBe(false);
  });
});
