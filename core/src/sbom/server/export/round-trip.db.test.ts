import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCyclonedx, readSpdx } from '../../../testing/exchange-documents.ts';
import { createImportScene, type ImportScene, readDemo } from '../../../testing/import-scene.ts';
import { propertyRuns } from '../../../testing/property-runs.ts';
import { cyclonedxDocument } from './cyclonedx-document.ts';
import { spdxDocument } from './spdx-document.ts';

let scene: ImportScene;
beforeAll(async () => {
  scene = await createImportScene();
});
afterAll(() => scene.test.drop());

const FORMATS = [
  { tool: 'spdx', write: spdxDocument, check: readSpdx },
  { tool: 'cyclonedx', write: cyclonedxDocument, check: readCyclonedx },
] as const;

/** Everything that an inventory says. */
const inventory = (repositoryId: string): Promise<object[]> =>
  scene.rows(
    `select c.digest, c.name, c.version, c.group_name, c.purl, c.ecosystem, c.type, c.licenses, c.license_class, c.description, c.direct,
       array(select t.digest::text from component_edges e join components t on t.id = e.to_id and t.removed_at is null
         where e.from_id = c.id order by 1) as needs
     from components c where c.repository_id = $1 and c.removed_at is null order by c.digest`,
    [repositoryId],
  );

const exported = async (format: (typeof FORMATS)[number], repositoryId: string): Promise<string> => {
  const { database } = scene.test;
  let text = '';
  for await (const piece of format.write({ database, clientId: scene.clientId, repositoryId, name: 'shop' }))
    text += piece;
  format.check(text);
  return text;
};
const withoutDates = (text: string): string => text.replace(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"date"');

let copies = 0;
/** Writes the inventory, reads it into an application of its own, and writes that. */
const expectRoundTrips = async (repositoryId: string): Promise<object[]> => {
  const before = await inventory(repositoryId);
  for (const format of FORMATS) {
    const text = await exported(format, repositoryId);
    copies += 1;
    const copy = await scene.addRepository(`copy ${copies}`);
    await scene.import(format.tool, text, copy);
    expect(await inventory(copy), format.tool).toEqual(before);
    expect(withoutDates(await exported(format, copy)), format.tool).toBe(withoutDates(text));
  }
  return before;
};

const REPORTS = new URL('../../../../../plugins/scanners/src/server/__fixtures__/reports/', import.meta.url);

describe('an inventory comes back from SPDX and from CycloneDX as it was', () => {
  test.each([
    ['cyclonedx', 'trivy_npm-cyclonedx.json'],
    ['cyclonedx', 'trivy_pom-cyclonedx.json'],
    ['cyclonedx', 'hd_syft-scan-alpine-container.json'],
    ['cyclonedx', 'ex_cern-lhc-vdm-editor-e564943_bom.json'],
    ['spdx', 'syft_image.spdx.json'],
    ['spdx', 'trivy_julia-spdx.json'],
    ['spdx', 'spdx_many_vuln.json'],
    ['spdx', 'bitnami_postgresql.spdx.json'],
    ['spdx', 'ex_appbomination.spdx.json'],
    ['spdx', 'syft_image_tagvalue.spdx'],
  ])('%s: %s', async (tool, file) => {
    const made = await scene.addRepository(file);
    await scene.import(tool, await readFile(new URL(`${tool}/${file}`, REPORTS)), made);
    expect(await expectRoundTrips(made)).not.toEqual([]);
  });

  test('the sample application', async () => {
    const made = await scene.addRepository('sample');
    await scene.import('cyclonedx', await readDemo('sbom.cyclonedx-1.2.json'), made);
    expect(await expectRoundTrips(made)).toHaveLength(840);
  });

  test('one without components', async () => {
    expect(await expectRoundTrips(await scene.addRepository('empty'))).toEqual([]);
  });

  test('components of all kinds', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(COMPONENT, { minLength: 1, maxLength: 30 }),
        fc.boolean(),
        async (components, isGraph) => {
          copies += 1;
          const made = await scene.addRepository(`made ${copies}`);
          await scene.import('cyclonedx', documentOf(components), made);
          await state(made, components, isGraph);
          await expectRoundTrips(made);
        },
      ),
      { numRuns: propertyRuns(6) },
    );
  });
});

const LICENSES = [
  ...[
    'MIT',
    'mit',
    'Apache-2.0',
    'GPL-2.0+',
    'GPL-2.0-only WITH Classpath-exception-2.0',
    'MIT OR Apache-2.0',
    'mit or (Foo AND BSD-3-Clause)',
  ],
  ...[
    'MIT AND ISC',
    'Foo',
    'LicenseRef-Foo',
    'LicenseRef-Foo AND MIT',
    'DocumentRef-a:LicenseRef-b',
    'MIT/X11',
    'NONE',
    'NOASSERTION',
  ],
  ...['The "House" licence, v. 2 — überall', 'A (b', 'AND', `long ${'x'.repeat(480)}`],
];
const TYPES = [
  'library',
  'application',
  'container',
  'operating-system',
  'operating_system',
  'source',
  'deb',
  'Library',
  'other',
  'file',
  'go-module',
];
const NAMES = ['a', '@scope/a', 'none', 'g/a', 'überlauf', 'x y', 'b', 'c', 'd', 'e', 'f', 'breakwater:component {}'];

const COMPONENT = fc.record({
  name: fc.constantFrom(...NAMES),
  version: fc.constantFrom(undefined, '1', '2.0+b', 'none', 'NOASSERTION'),
  group: fc.constantFrom(undefined, 'g', '@scope', 'org.example/x'),
  type: fc.constantFrom(undefined, ...TYPES),
  licenses: fc.uniqueArray(fc.constantFrom(...LICENSES), { maxLength: 4 }),
  description: fc.constantFrom(undefined, 'Two\nlines', 'NOASSERTION', 'breakwater:component {"name":["a","b"]}'),
  isPackaged: fc.boolean(),
  direct: fc.constantFrom(true, false, null),
  needs: fc.uniqueArray(fc.nat(29), { maxLength: 4 }),
});
type Made = typeof COMPONENT extends fc.Arbitrary<infer T> ? T : never;

const documentOf = (components: readonly Made[]): string =>
  JSON.stringify({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    components: components.map(({ name, version, group, type, licenses, description, isPackaged }, n) => ({
      ...{ 'bom-ref': `ref ${n}`, name, version, group, type, description },
      purl: isPackaged ? `pkg:generic/${encodeURIComponent(name)}@${n}` : undefined,
      licenses: licenses.map((license) => ({ license: { name: license } })),
    })),
    dependencies: components.map(({ needs }, n) => ({
      ref: `ref ${n}`,
      dependsOn: needs.map((need) => `ref ${need}`),
    })),
  });

/** No format that we read says of each component alone whether it is needed directly; several inventories of one application do. */
const state = async (repositoryId: string, components: readonly Made[], isGraph: boolean): Promise<void> => {
  if (!isGraph) return;
  await scene.rows(
    `update components c set direct = ($2::boolean[])[1 + abs(hashtext(c.digest::text)) % cardinality($2::boolean[])] where c.repository_id = $1`,
    [repositoryId, components.map(({ direct }) => direct)],
  );
};
