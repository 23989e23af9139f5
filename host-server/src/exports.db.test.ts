import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormatsModule from 'ajv-formats';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../tools/testing/server.ts';

const SCHEMAS = '../../core/src/sbom/__fixtures__/cyclonedx-1.6';
const REPORTS = '../../plugins/scanners/src/server/__fixtures__/reports';
const DEMO = '../../core/data/demo-juice-shop';

let server: TestServer;
let validate: ValidateFunction;
beforeAll(async () => {
  server = await startTestServer({ isWorking: true });
  const require = createRequire(import.meta.url);
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormatsModule.default(ajv);
  // formats of draft 7 that the package leaves out
  ajv.addFormat('idn-email', true).addFormat('iri-reference', true);
  for (const name of ['spdx.SNAPSHOT.schema.json', 'jsf-0.82.SNAPSHOT.schema.json']) {
    ajv.addSchema(require(`${SCHEMAS}/${name}`), `http://cyclonedx.org/schema/${name}`);
  }
  validate = ajv.compile(require(`${SCHEMAS}/bom-1.6.SNAPSHOT.schema.json`));
});
afterAll(() => server.close());

const addRepository = async (nickname: string): Promise<string> => {
  const made = await server.call('POST', '/create_repository_with_list', {
    as: 'admin',
    body: { source_control: 'git', data: [{ nickname, url: `https://git.example.test/${nickname}.git` }] },
  });
  return made.body.data[0]._id;
};
const upload = async (id: string, path: string): Promise<void> => {
  const file = (await readFile(new URL(path, import.meta.url))).toString('base64');
  const answer = await server.call('POST', `/upload_scan/${id}?wait=60`, {
    as: 'admin',
    body: { tool: 'auto', file },
  });
  // Dependency-Check names an archive in the demo that it could not open
  const status = path.endsWith('owasp-dependency-check.json') ? 'incomplete' : 'done';
  expect(answer, path).toMatchObject({ status: 200, body: { data: { status } } });
};
const issuesOf = (document: unknown): string[] => {
  validate(document);
  return (validate.errors ?? []).slice(0, 5).map((issue) => `${issue.instancePath} ${issue.message}`);
};
const exported = async (path: string): Promise<Record<string, unknown[]>> => {
  const answer = await server.call('GET', path, { as: 'admin' });
  expect(answer.status).toBe(200);
  return answer.body;
};

test('the schema is one that can fail', () => {
  expect(
    issuesOf({ bomFormat: 'CycloneDX', specVersion: '1.6', components: [{ type: 'nothing', name: 'x' }] }),
  ).not.toEqual([]);
});

test('exports keep the official schema of CycloneDX 1.6, whatever tool the inventory is from', {
  timeout: 240_000,
}, async () => {
  const sets: Record<string, string[]> = {
    demo: ['sbom.cyclonedx-1.2.json', 'grype.json', 'owasp-dependency-check.json'].map((name) => `${DEMO}/${name}`),
    trivy: [`${REPORTS}/cyclonedx/trivy_npm-cyclonedx.json`, `${REPORTS}/cyclonedx/trivy_pom-cyclonedx.json`],
    syft: [`${REPORTS}/cyclonedx/hd_syft-scan-alpine-container.json`, `${REPORTS}/spdx/syft_image.spdx.json`],
    vex: [`${REPORTS}/cyclonedx/hd_vex.json`, `${REPORTS}/cyclonedx/issue_8022.json`],
    odd: [`${REPORTS}/spdx/spdx_many_vuln.json`, `${REPORTS}/cyclonedx/ex_cern-lhc-vdm-editor-e564943_bom.json`],
  };
  let [components, vulnerabilities] = [0, 0];
  for (const [name, paths] of Object.entries(sets)) {
    const id = await addRepository(name);
    for (const path of paths) await upload(id, path);
    if (name === 'demo') {
      await server.scene.owner.query(
        `update findings set verdict = (array['false_positive', 'accepted_risk', 'mitigated_externally', 'valid'])[1 + abs(hashtext(id::text)) % 4]
         where repository_id = $1`,
        [id],
      );
    }
    const sbom = await exported(`/repositories/${id}/sbom?format=cyclonedx`);
    const vex = await exported(`/repositories/${id}/vex`);
    expect(issuesOf(sbom), `${name} sbom`).toEqual([]);
    expect(issuesOf(vex), `${name} vex`).toEqual([]);
    components += sbom['components']?.length ?? 0;
    vulnerabilities += vex['vulnerabilities']?.length ?? 0;
  }
  expect(components).toBeGreaterThan(900);
  expect(vulnerabilities).toBeGreaterThan(50);
});
