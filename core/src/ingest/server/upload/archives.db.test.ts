import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../../tools/testing/server.ts';

const FIXTURES = new URL('../../../../../plugins/scanners/src/server/__fixtures__/reports/', import.meta.url);
let server: TestServer;
let repository: string;

beforeAll(async () => {
  server = await startTestServer({ isWorking: true });
  const body = { source_control: 'git', data: [{ nickname: 'shop', url: '' }] };
  repository = (await server.call('POST', '/create_repository_with_list', { as: 'admin', body })).body.data[0]._id;
});
afterAll(() => server.close());

const upload = async (name: string, bytes: Uint8Array<ArrayBuffer>, tool = 'auto') => {
  const form = new FormData();
  form.append('file', new Blob([bytes]), name);
  form.append('tool', tool);
  const answer = await fetch(`${server.baseUrl}/api/v1/upload_scan/${repository}?wait=60`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.tokens.admin}` },
    body: form,
  });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
};
const fixture = async (path: string) => new Uint8Array(await readFile(new URL(path, FIXTURES)));

test.each([
  ['fortify/fortify_suppressed_with_comments.fpr', 'fortify'],
  ['fortify/hello_world_no_metainfo.fpr', 'fortify'],
  ['black_duck/blackduck__blackduck_enhanced_py3_unittest.zip', 'black_duck'],
])('%s is recognised and imported as the archive that it is', async (path, tool) => {
  const { status, body } = await upload(path.split('/').at(-1) ?? '', await fixture(path));
  expect({ status, tool: body.data?.tool, scan: body.data?.status }).toEqual({ status: 200, tool, scan: 'done' });
  expect(body.data.counts.total).toBeGreaterThan(0);
});

test('an archive of reports that belong together to nobody is refused with what to do', async () => {
  const two = Buffer.from(
    'UEsDBBQAAAAIAA4SdV1Dv6ajBAAAAAIAAAAGAAAAYS5qc29uq64FAFBLAwQUAAAACAAOEnVdQ7+mowQAAAACAAAABgAAAGIuanNvbquuBQBQSwECFAMUAAAACAAOEnVdQ7+mowQAAAACAAAABgAAAAAAAAAAAAAAgAEAAAAAYS5qc29uUEsBAhQDFAAAAAgADhJ1XUO/pqMEAAAAAgAAAAYAAAAAAAAAAAAAAIABKAAAAGIuanNvblBLBQYAAAAAAgACAGgAAABQAAAAAAA=',
    'base64',
  );
  const { status, body } = await upload('reports.zip', new Uint8Array(two));
  expect([status, body.code]).toEqual([422, 'report_malformed']);
  expect(body.detail).toMatch(/Upload one report at a time/);
});
