import { openReportTools } from '@breakwater/host-server/plugins/parse-tools.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateOpengrep } from '../../../../../benchmarks/generate-opengrep.ts';
import type { ReportTools } from '../../../platform/model/connector-catalogue.ts';
import { createImportScene, type ImportScene } from '../../../testing/import-scene.ts';
import { findRollupDifferences } from '../../../testing/snapshot.ts';

/** Runs when a report has been read to its end and nothing is merged yet. */
let meanwhile = async (): Promise<void> => undefined;
let readings = 0;

const interrupted = (tools: ReportTools): ReportTools => ({
  ...tools,
  resolveTool: (id) => {
    const tool = tools.resolveTool(id);
    if (tool === null) return null;
    const { parser } = tool;
    return {
      ...tool,
      parser: {
        ...parser,
        async *parse(bytes, options) {
          readings += 1;
          yield* parser.parse(bytes, options);
          await meanwhile();
        },
      },
    };
  },
});

let scene: ImportScene;
beforeAll(async () => {
  scene = await createImportScene(interrupted(await openReportTools()));
});
afterAll(() => scene.test.drop());

const REPORT = [...generateOpengrep({ results: 200, rules: 10, files: 20 })].join('');

test('a report is read again when findings that it was compared with change meanwhile', async () => {
  const repositoryId = await scene.addRepository('raced');
  await scene.import('opengrep', REPORT, repositoryId);
  const [victim] = await scene.rows<{ id: string }>(
    'select id from findings where repository_id = $1 order by id limit 1',
    [repositoryId],
  );
  meanwhile = async () => {
    meanwhile = async () => undefined;
    await scene.rows(`update findings set status = 'mitigated', closed_at = now() where id = $1`, [victim?.id]);
  };
  readings = 0;
  const counts = await scene.import('opengrep', REPORT, repositoryId);
  expect(counts).toMatchObject({ total: 200, new: 0, unchanged: 199, reopened: 1, closed: 0 });
  expect(readings).toBe(2);
  expect(await scene.rows('select status from findings where id = $1', [victim?.id])).toEqual([{ status: 'reopened' }]);
  expect(await findRollupDifferences(scene)).toEqual([]);
});

test('equal results are not written, and what differs is written alone', async () => {
  const repositoryId = await scene.addRepository('repeated');
  await scene.import('opengrep', REPORT, repositoryId);
  const versions = 'select id, xmin::text as version from findings where repository_id = $1 order by id';
  const before = await scene.rows(versions, [repositoryId]);
  const counts = await scene.import('opengrep', REPORT.replace('1.93.0', '1.94.0'), repositoryId);
  expect(counts).toMatchObject({ total: 200, new: 0, unchanged: 200, reopened: 0, closed: 0 });
  expect(await scene.rows(versions, [repositoryId])).toEqual(before);
  const edited = [...generateOpengrep({ results: 200, rules: 10, files: 20, isEdited: true })].join('');
  const { closed, new: added } = await scene.import('opengrep', edited, repositoryId);
  expect({ closed, added }).toEqual({ closed: 2, added: 2 });
  const after = new Map(
    (await scene.rows<{ id: string; version: string }>(versions, [repositoryId])).map((row) => [row.id, row.version]),
  );
  const untouched = before.filter(
    (row) => 'id' in row && 'version' in row && after.get(String(row.id)) === row.version,
  );
  expect(untouched.length).toBeGreaterThan(170);
  expect(untouched.length).toBeLessThan(200);
  expect(await findRollupDifferences(scene)).toEqual([]);
});

test('where all lines moved no row of findings is written, and each finding stands at its new line', async () => {
  const repositoryId = await scene.addRepository('moved');
  const [before, after] = [0, 23].map((shift) =>
    [...generateOpengrep({ results: 200, rules: 10, files: 20, shift })].join(''),
  );
  await scene.import('opengrep', before ?? '', repositoryId);
  const versions = 'select id, xmin::text as version from findings where repository_id = $1 order by id';
  const lines = `select f.id, l.start_line as line, l.end_line as end, d.code_flows -> 0 -> -1 ->> 'startLine' as flow
    from findings f join finding_locations l on l.finding_id = f.id join finding_details d on d.finding_id = f.id
    where f.repository_id = $1 order by f.id`;
  const [rows, places] = [
    await scene.rows(versions, [repositoryId]),
    await scene.rows<{ id: string; line: number; end: number; flow: string | null }>(lines, [repositoryId]),
  ];
  expect(places.filter(({ flow }) => flow !== null).length).toBeGreaterThan(10);
  const counts = await scene.import('opengrep', after ?? '', repositoryId);
  expect(counts).toMatchObject({ total: 200, new: 0, unchanged: 200, reopened: 0, closed: 0 });
  expect(await scene.rows(versions, [repositoryId])).toEqual(rows);
  expect(await scene.rows(lines, [repositoryId])).toEqual(
    places.map(({ id, line, end, flow }) => ({
      ...{ id, line: line + 23, end: end + 23 },
      flow: flow === null ? null : String(Number(flow) + 23),
    })),
  );
  expect(await scene.rows('select 1 from finding_events where client_id = $1', [scene.clientId])).toHaveLength(
    (await scene.rows("select 1 from finding_events where kind in ('reopened', 'closed')")).length,
  );
});
