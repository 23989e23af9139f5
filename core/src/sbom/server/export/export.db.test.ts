import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CyclonedxFacts, readCyclonedx, readSpdx, type SpdxFacts } from '../../../testing/exchange-documents.ts';
import { createImportScene, DEMO_REPORTS, type ImportScene, readDemo } from '../../../testing/import-scene.ts';
import { licenseRules } from '../license-table.ts';
import { cyclonedxDocument } from './cyclonedx-document.ts';
import type { ExportTarget } from './export-source.ts';
import { spdxDocument } from './spdx-document.ts';
import { vexDocument } from './vex-document.ts';

let scene: ImportScene;
beforeAll(async () => {
  scene = await createImportScene();
  for (const [tool, file] of DEMO_REPORTS) await scene.import(tool, await readDemo(file));
});
afterAll(() => scene.test.drop());

const textOf = async (pieces: AsyncIterable<string>): Promise<string> => {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
};
const targetOf = (repositoryId = scene.repositoryId, name = 'shop'): ExportTarget => ({
  database: scene.test.database,
  clientId: scene.clientId,
  repositoryId,
  name,
});

interface Row {
  name: string;
  version: string | null;
  purl: string | null;
  ecosystem: string | null;
  licenses: string[];
  license_class: string;
  direct: boolean | null;
  needs: string[];
}

/** What is in an application, without what may differ between two inventories of the same. */
const inventory = (repositoryId: string): Promise<Row[]> =>
  scene.rows<Row>(
    `select c.full_name as name, c.version, c.purl, c.ecosystem, c.licenses, c.license_class, c.direct,
       array(select distinct t.digest::text from component_edges e join components t on t.id = e.to_id and t.removed_at is null
         where e.from_id = c.id order by 1) as needs
     from components c where c.repository_id = $1 and c.removed_at is null and c.type is distinct from 'application' order by c.digest`,
    [repositoryId],
  );

/** A fixture of a real tool. */
const fixture = (path: string): string =>
  readFileSync(
    new URL(`../../../../../plugins/scanners/src/server/__fixtures__/reports/${path}`, import.meta.url),
    'utf8',
  );

const edgesOf = (rows: Row[]): number => rows.reduce((sum, row) => sum + row.needs.length, 0);

describe('CycloneDX', () => {
  test('the sample inventory comes back as it was, and keeps the rules of the format', async () => {
    const text = await textOf(cyclonedxDocument(targetOf()));
    const document: CyclonedxFacts = readCyclonedx(text);
    const before = await inventory(scene.repositoryId);
    expect(document.components).toHaveLength(840);
    expect(document.metadata.component.name).toBe('shop');
    const copy = await scene.addRepository('cyclonedx copy');
    await scene.import('cyclonedx', text, copy);
    expect(await inventory(copy)).toEqual(before);
    expect(before).toHaveLength(840);
    expect(new Set(before.map((row) => row.license_class)).size).toBeGreaterThan(1);
  });

  test('edges, direct use and odd types survive', async () => {
    const [made, copy] = [await scene.addRepository('npm'), await scene.addRepository('npm copy')];
    await scene.import('cyclonedx', fixture('cyclonedx/trivy_npm-cyclonedx.json'), made);
    const text = await textOf(cyclonedxDocument(targetOf(made, 'npm')));
    readCyclonedx(text);
    await scene.import('cyclonedx', text, copy);
    const before = await inventory(made);
    expect(edgesOf(before)).toBeGreaterThan(10);
    expect(before.some((row) => row.direct === true) && before.some((row) => row.direct === false)).toBe(true);
    expect(await inventory(copy)).toEqual(before);
  });

  test('the same content is the same document; other content another serial number', async () => {
    const first = await textOf(cyclonedxDocument(targetOf()));
    await scene.import('cyclonedx', await readDemo('sbom.cyclonedx-1.2.json'));
    expect(await textOf(cyclonedxDocument(targetOf()))).toBe(first);
    const serialOf = async () => readCyclonedx(await textOf(cyclonedxDocument(targetOf()))).serialNumber;
    const serial = await serialOf();
    await scene.rows(`update components set licenses = '{Changed}' where name = 'dottie'`);
    expect(await serialOf()).not.toBe(serial);
    await scene.rows(`update components set licenses = '{MIT}' where name = 'dottie'`);
    expect(await serialOf()).toBe(serial);
  });

  test('one package of two inventories is listed once; what was removed not at all', async () => {
    const made = await scene.addRepository('twice');
    const bom = (...names: string[]) =>
      JSON.stringify({
        bomFormat: 'CycloneDX',
        specVersion: '1.6',
        components: names.map((name) => ({ type: 'library', name, version: '1', purl: `pkg:npm/${name}@1` })),
      });
    await scene.import('cyclonedx', bom('both', 'gone'), made);
    await scene.import('cyclonedx', bom('both'), made);
    await scene.import('spdx', await textOf(spdxDocument(targetOf(made, 'twice'))), made);
    const { components } = readCyclonedx(await textOf(cyclonedxDocument(targetOf(made, 'twice'))));
    expect(components.map((component) => component.name)).toEqual(['both']);
  });

  test('a change in the middle breaks the download off', async () => {
    const made = await scene.addRepository('moving');
    await scene.import('cyclonedx', fixture('cyclonedx/trivy_npm-cyclonedx.json'), made);
    const document = cyclonedxDocument(targetOf(made, 'moving'));
    await document.next();
    await scene.rows(`update components set version = '0' where repository_id = $1`, [made]);
    await expect(textOf(document)).rejects.toMatchObject({ code: 'conflict' });
  });

  test('an application without an inventory gives an empty document', async () => {
    const made = await scene.addRepository('empty');
    const document = readCyclonedx(await textOf(cyclonedxDocument(targetOf(made, 'empty'))));
    expect(document.components).toEqual([]);
    expect(readSpdx(await textOf(spdxDocument(targetOf(made, 'empty')))).packages).toHaveLength(1);
  });
});

describe('SPDX', () => {
  test('the inventory comes back with the same packages, edges and licences', async () => {
    const made = await scene.addRepository('spdx');
    await scene.import('cyclonedx', fixture('cyclonedx/trivy_npm-cyclonedx.json'), made);
    const text = await textOf(spdxDocument(targetOf(made, 'spdx')));
    readSpdx(text);
    const copy = await scene.addRepository('spdx copy');
    await scene.import('spdx', text, copy);
    const packaged = (rows: Row[]) => rows.filter((row) => row.purl !== null).map(({ direct: _, ...row }) => row);
    const before = packaged(await inventory(made));
    expect(before.length).toBeGreaterThan(10);
    expect(packaged(await inventory(copy))).toEqual(before);
  });

  test('a licence that SPDX does not know is explained, and keeps its class', async () => {
    const text = await textOf(spdxDocument(targetOf()));
    const document: SpdxFacts = readSpdx(text);
    const explained = document.hasExtractedLicensingInfos ?? [];
    expect(explained.map((entry) => entry.name)).toContain('MIT/X11');
    const used = document.packages.flatMap((entry) => entry.licenseDeclared.match(/LicenseRef-[\w.-]+/g) ?? []);
    expect(new Set(used)).toEqual(new Set(explained.map((entry) => entry.licenseId)));
    const copy = await scene.addRepository('spdx demo');
    await scene.import('spdx', text, copy);
    const known = (rows: Row[]) =>
      rows
        .filter((row) => row.licenses.every((license) => licenseRules().spdxId(license) !== undefined))
        .map((row) => [row.purl, row.license_class]);
    const before = new Map(known(await inventory(scene.repositoryId)).map(([purl, one]) => [purl, one]));
    const after = new Map((await inventory(copy)).map((row) => [row.purl, row.license_class]));
    for (const [purl, licenseClass] of before) expect([purl, after.get(purl ?? null)]).toEqual([purl, licenseClass]);
    expect((await inventory(copy)).length).toBe(840);
  });
});

describe('VEX', () => {
  test('says of each vulnerability what was decided, and our importer understands it', async () => {
    const decide = (cve: string, set: string) =>
      scene.rows(
        `update findings set ${set} where definition_id in (select id from finding_definitions where cve = $1 or rule_id = $1 or $1 = any(aliases))
         returning id`,
        [cve],
      );
    const before = readCyclonedx(await textOf(vexDocument(targetOf())));
    const [first, second, third, fourth] = [...new Set(before.vulnerabilities?.map((entry) => entry.id))];
    expect(before.vulnerabilities?.every((entry) => entry.analysis.state === 'in_triage')).toBe(true);
    await decide(first ?? '', `verdict = 'false_positive'`);
    await decide(second ?? '', `verdict = 'accepted_risk', verdict_expires_at = '2027-01-02'`);
    await decide(third ?? '', `verdict = 'mitigated_externally'`);
    await decide(fourth ?? '', `verdict = 'valid'`);
    const text = await textOf(vexDocument(targetOf()));
    const document = readCyclonedx(text);
    const stateOf = (id: string | undefined) => document.vulnerabilities?.find((entry) => entry.id === id)?.analysis;
    expect(stateOf(first)).toEqual({ state: 'false_positive' });
    expect(stateOf(second)).toEqual({
      state: 'exploitable',
      response: ['will_not_fix'],
      detail: 'Accepted until 2027-01-02.',
    });
    expect(stateOf(third)).toEqual({ state: 'not_affected', justification: 'protected_by_mitigating_control' });
    expect(stateOf(fourth)?.state).toBe('exploitable');
    expect(document.serialNumber).not.toBe(before.serialNumber);
    const copy = await scene.addRepository('vex copy');
    await scene.import('cyclonedx', text, copy);
    const imported = await scene.rows<{ name: string; verdict: string }>(
      `select distinct b.rule_id as name, f.verdict from findings f join finding_definitions b on b.id = f.definition_id where f.repository_id = $1`,
      [copy],
    );
    expect(imported.length).toBeGreaterThan(40);
    expect(
      imported
        .filter((row) => row.verdict === 'false_positive')
        .map((row) => row.name)
        .sort(),
    ).toEqual([first, third].sort());
  });
});
