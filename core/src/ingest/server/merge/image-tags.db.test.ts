import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createImportScene, type ImportScene } from '../../../testing/import-scene.ts';

let scene: ImportScene;
beforeAll(async () => {
  scene = await createImportScene();
});
afterAll(() => scene.test.drop());

const FIXTURES = new URL('../../../../../plugins/scanners/src/server/__fixtures__/reports/', import.meta.url);
const read = (file: string): Promise<string> => readFile(new URL(file, FIXTURES), 'utf8');

type Build = readonly [text: string, replacement: string];
/** One build of an image and the next: registry with port, tag, digest, release of the system. */
const OLD = 'registry.example:5000/team/app:1.2';
const NEW = 'registry.example:5000/team/app:1.3@sha256:1f2e';
const REPORTS: readonly { tool: string; file: string; before: readonly Build[]; after: readonly Build[] }[] = [
  ...['debian-stretch.tar.gz (debian 9.9)', 'fluentd-multiple-lockfiles.tar.gz (debian 10.2)'].map((place, index) => {
    const [archive = '', system = ''] = place.split(' (');
    const path = `testdata/fixtures/images/${archive}`;
    return {
      tool: 'trivy',
      file: `trivy/${['golden_debian-stretch', 'golden_fluentd-gems'][index]}.json`,
      before: [[path, OLD]] as const,
      after: [
        [path, NEW],
        [`(${system}`, '(debian 10.99)'],
      ] as const,
    };
  }),
  {
    tool: 'trivy',
    file: 'trivy/issue_9333.json',
    before: [],
    after: [['example-app:main-159 (debian 10.13)', 'example-app:main-160 (debian 10.14)']],
  },
  {
    tool: 'grype',
    file: 'grype/fix_available.json',
    before: [['REDACTED', OLD]],
    after: [
      ['REDACTED', NEW],
      ['sha256:07a3', 'sha256:ffff'],
    ],
  },
  {
    tool: 'grype',
    file: 'grype/same_cve_different_paths.json',
    before: [],
    after: [['test-image:latest', 'test-image:2026-11']],
  },
  {
    tool: 'gitlab',
    file: 'gitlab/gitlab_container_scan__gl-container-scanning-report-5-vuln_v15.json',
    before: [],
    after: [['registry/vulnerable-project:latest', 'registry/vulnerable-project:v2']],
  },
  {
    tool: 'sarif',
    file: 'sarif/trivy_alpine-310.sarif',
    before: [['"imageName": "testdata/fixtures/images/alpine-310.tar.gz"', `"imageName": "${OLD}"`]],
    after: [['"imageName": "testdata/fixtures/images/alpine-310.tar.gz"', `"imageName": "${NEW}"`]],
  },
];
const edited = (text: string, changes: readonly Build[]): string =>
  changes.reduce((result, [from, to]) => {
    expect(result).toContain(from);
    return result.replaceAll(from, to);
  }, text);

test.each(REPORTS)(
  '$tool: $file: a new build of the image keeps findings, verdicts and what is closed',
  async (report) => {
    const repositoryId = await scene.addRepository(`${report.tool} ${report.file}`);
    const text = await read(report.file);
    const first = await scene.import(report.tool, edited(text, report.before), repositoryId);
    expect(first.new).toBeGreaterThan(0);
    const [judged] = await scene.rows<{ id: string }>(
      `with judged as (
       update findings set verdict = 'false_positive' where id = (select min(id::text)::uuid from findings where repository_id = $1)
       returning client_id, id)
     insert into finding_events (client_id, finding_id, kind, actor, from_value, to_value)
     select client_id, id, 'verdict', new_id(), 'none', 'false_positive' from judged returning finding_id as id`,
      [repositoryId],
    );
    const next = await scene.import(report.tool, edited(text, report.after), repositoryId);
    expect(next).toMatchObject({ total: first.total, new: 0, closed: 0, unchanged: first.total });
    expect(
      await scene.rows(
        `select id from findings where repository_id = $1 and verdict = 'false_positive' and status <> 'mitigated'`,
        [repositoryId],
      ),
    ).toEqual([judged]);
    expect(
      await scene.rows('select count(*)::integer as scopes from scan_scopes where repository_id = $1', [repositoryId]),
    ).toEqual([{ scopes: 1 }]);
  },
);

test.each([
  ['cyclonedx', 'cyclonedx/scb_hello-world-cyclonedx.json', '"name": "hello-world:latest"'],
  ['syft', 'syft/image-encoder.syft.json', 'user-image-input'],
  ['spdx', 'spdx/syft_image.spdx.json', 'user-image-input'],
])('%s: %s: the inventory of a new build replaces the one before', async (tool, file, name) => {
  const repositoryId = await scene.addRepository(`${tool} ${file}`);
  const text = await read(file);
  const named = (image: string): string => edited(text, [[name, name.startsWith('"') ? `"name": "${image}"` : image]]);
  await scene.import(tool, named(OLD), repositoryId);
  await scene.import(tool, named(NEW), repositoryId);
  const scopes = await scene.rows<{ target: string }>('select target from scan_scopes where repository_id = $1', [
    repositoryId,
  ]);
  expect(scopes.map((scope) => scope.target.replace(/^\S+ /, ''))).toEqual(['registry.example:5000/team/app']);
});
