import { describe, expect, test } from 'vitest';
import { parseBytes, parseText, sampleBytes } from '../../testing/samples.ts';
import { spdx } from './parser.ts';

const library = { SPDXID: 'SPDXRef-a', name: 'a', versionInfo: '1' };

function document(parts: object): object {
  return { spdxVersion: 'SPDX-2.3', SPDXID: 'SPDXRef-DOCUMENT', packages: [library], ...parts };
}
const read = (value: object, family?: string) => parseText(spdx, JSON.stringify(value), family);
const relation = (spdxElementId: string, relationshipType: string, relatedSpdxElement: string) => ({
  spdxElementId,
  relationshipType,
  relatedSpdxElement,
});
const purl = (locator: string) => ({
  referenceCategory: 'PACKAGE-MANAGER',
  referenceType: 'purl',
  referenceLocator: locator,
});
const security = (referenceType: string, referenceLocator: string) => ({
  referenceCategory: 'SECURITY',
  referenceType,
  referenceLocator,
});

describe('spdx 2 inventory', () => {
  test('packages with licence, purl, purpose, edges and directness', async () => {
    const { components, info } = await read(
      document({
        creationInfo: { created: '2024-05-01T10:00:00Z', creators: ['Organization: X', 'Tool: my-tool-1.2.3'] },
        packages: [
          { SPDXID: 'SPDXRef-root', name: 'shop', primaryPackagePurpose: 'APPLICATION' },
          {
            ...library,
            licenseConcluded: 'NOASSERTION',
            licenseDeclared: 'MIT OR Apache-2.0',
            externalRefs: [purl('pkg:npm/a@1')],
            description: 'A library.',
          },
          { SPDXID: 'SPDXRef-b', name: 'b', versionInfo: 'NOASSERTION', licenseConcluded: 'GPL-2.0-only' },
        ],
        relationships: [
          relation('SPDXRef-DOCUMENT', 'DESCRIBES', 'SPDXRef-root'),
          relation('SPDXRef-root', 'DEPENDS_ON', 'SPDXRef-a'),
          relation('SPDXRef-b', 'RUNTIME_DEPENDENCY_OF', 'SPDXRef-a'),
          relation('SPDXRef-a', 'CONTAINS', 'SPDXRef-File-x'),
          relation('SPDXRef-a', 'DEPENDS_ON', 'DocumentRef-other:SPDXRef-c'),
        ],
      }),
    );
    expect(components).toEqual([
      {
        kind: 'component',
        ref: 'SPDXRef-a',
        name: 'a',
        version: '1',
        purl: 'pkg:npm/a@1',
        licenses: ['MIT OR Apache-2.0'],
        description: 'A library.',
        dependsOn: ['SPDXRef-b'],
        direct: true,
      },
      { kind: 'component', ref: 'SPDXRef-b', name: 'b', licenses: ['GPL-2.0-only'], direct: false },
    ]);
    expect(info).toEqual([
      { kind: 'report', toolName: 'my-tool', toolVersion: '1.2.3', date: '2024-05-01T10:00:00.000Z' },
    ]);
  });

  test('what the document is about is no component, but where it is all there is, or one of several', async () => {
    const root = { SPDXID: 'SPDXRef-root', name: 'shop' };
    const namesOf = async (packages: object[], relationships: object[], documentDescribes = ['SPDXRef-root']) =>
      (await read(document({ documentDescribes, packages, relationships }))).components.map(({ name }) => name);
    const holds = relation('SPDXRef-root', 'CONTAINS', 'SPDXRef-a');
    expect(await namesOf([root, library], [holds])).toEqual(['a']);
    expect(await namesOf([root], [])).toEqual(['shop']);
    expect(await namesOf([root], [relation('SPDXRef-root', 'CONTAINS', 'SPDXRef-File')])).toEqual(['shop']);
    expect(await namesOf([root, library], [holds], ['SPDXRef-root', 'SPDXRef-a'])).toEqual(['shop', 'a']);
  });

  test('a root that needs some and only holds others says what is needed directly', async () => {
    const { components } = await read(
      document({
        documentDescribes: ['SPDXRef-root'],
        packages: [{ SPDXID: 'SPDXRef-root', name: 'shop' }, library, { SPDXID: 'SPDXRef-b', name: 'b' }],
        relationships: [
          relation('SPDXRef-root', 'DEPENDS_ON', 'SPDXRef-a'),
          relation('SPDXRef-root', 'CONTAINS', 'SPDXRef-b'),
        ],
      }),
    );
    expect(components.map(({ name, direct }) => [name, direct])).toEqual([
      ['a', true],
      ['b', false],
    ]);
  });

  test('a flat list says nothing about directness', async () => {
    const { components } = await read(
      document({
        documentDescribes: ['SPDXRef-root'],
        packages: [{ SPDXID: 'SPDXRef-root', name: 'shop' }, library],
        relationships: [relation('SPDXRef-root', 'DEPENDS_ON', 'SPDXRef-a')],
      }),
    );
    expect(components.map(({ name, direct }) => [name, direct])).toEqual([['a', undefined]]);
  });

  test("Trivy's lock files contain what the project needs directly", async () => {
    const { components } = await parseBytes(spdx, sampleBytes('spdx/trivy_julia-spdx.json'));
    expect(components.map(({ name, direct }) => [name, direct])).toEqual(
      expect.arrayContaining([
        ['A', true],
        ['Manifest.toml', undefined],
      ]),
    );
  });

  test('an image is the target, its packages are Container', async () => {
    const image = { SPDXID: 'SPDXRef-i', name: 'registry.example/shop:1.2', primaryPackagePurpose: 'CONTAINER' };
    const { findings, info } = await read(
      document({
        documentDescribes: ['SPDXRef-i'],
        packages: [image, { ...library, externalRefs: [security('advisory', 'https://nvd.example/CVE-2024-1234')] }],
      }),
    );
    expect(info[0]?.target).toBe('registry.example/shop');
    expect(findings).toMatchObject([{ type: 'Container', resource: 'registry.example/shop' }]);
  });

  test('wrapped by an API or an attestation', async () => {
    const inner = document({});
    for (const outer of [
      { sbom: inner },
      { _type: 'https://in-toto.io/Statement/v0.1', predicateType: 'https://spdx.dev/Document', predicate: inner },
      { SPDX: inner },
    ]) {
      expect((await read(outer)).components).toHaveLength(1);
      expect(spdx.recognise(Buffer.from(JSON.stringify(outer)))).toBeGreaterThanOrEqual(0.9);
    }
  });

  test('a package without a name is listed, a report of such is refused', async () => {
    const parsed = await read(document({ packages: [library, { SPDXID: 'SPDXRef-b' }] }));
    expect(parsed.unreadable).toEqual([
      { kind: 'unreadable', where: 'packages[1]', why: 'is a package without a name' },
    ]);
    await expect(read(document({ packages: [{ SPDXID: 'SPDXRef-b' }] }))).rejects.toMatchObject({
      code: 'report_wrong_tool',
    });
  });
});

describe('spdx 2 licences', () => {
  const extracted = [
    { licenseId: 'LicenseRef-1', name: 'The "House" licence, v. 2', extractedText: 'All.' },
    { licenseId: 'LicenseRef-2', name: 'Foo', extractedText: 'Foo.' },
    { licenseId: 'LicenseRef-3', name: 'NOASSERTION', extractedText: 'Bar.' },
    { licenseId: 'LicenseRef-4', extractedText: 'Bar.' },
  ];
  const licensesOf = async (licenseDeclared: string) => {
    const packages = [{ ...library, licenseDeclared }];
    return (await read(document({ packages, hasExtractedLicensingInfos: extracted }))).components[0]?.licenses;
  };

  test.each([
    ['LicenseRef-1', ['The "House" licence, v. 2']],
    ['LicenseRef-3', ['LicenseRef-3']],
    ['LicenseRef-4', ['LicenseRef-4']],
    ['MIT OR LicenseRef-2', ['MIT OR Foo']],
    ['MIT AND LicenseRef-2', ['MIT AND Foo']],
    // a name of several words has no place in an expression
    ['MIT OR LicenseRef-1', ['MIT OR LicenseRef-1']],
    ['MIT AND LicenseRef-1', ['MIT', 'The "House" licence, v. 2']],
    ['(MIT OR LicenseRef-2) AND LicenseRef-1', ['(MIT OR Foo)', 'The "House" licence, v. 2']],
    ['MIT AND LicenseRef-1 OR ISC', ['MIT AND LicenseRef-1 OR ISC']],
    ['DocumentRef-x:LicenseRef-2 AND MIT', ['DocumentRef-x:LicenseRef-2 AND MIT']],
    ['LicenseRef-22', ['LicenseRef-22']],
  ])('%s', async (declared, expected) => {
    expect(await licensesOf(declared)).toEqual(expected);
  });

  test('the names of a tag-value document', async () => {
    const text = [
      ...['SPDXVersion: SPDX-2.3', 'PackageName: a', 'SPDXID: SPDXRef-a', 'PackageLicenseDeclared: LicenseRef-1'],
      ...['LicenseID: LicenseRef-1', 'ExtractedText: <text>All.</text>', 'LicenseName: The House licence'],
    ].join('\n');
    expect((await parseText(spdx, text)).components[0]?.licenses).toEqual(['The House licence']);
  });

  test('an expression longer than a name is read whole', async () => {
    const long = Array.from({ length: 100 }, () => 'Apache-2.0').join(' AND ');
    expect(await licensesOf(long)).toEqual([long]);
  });
});

describe('documents of our own', () => {
  const annotated = (facts: object, change: object = {}) =>
    document({
      packages: [
        {
          ...{ ...library, name: 'g/a', licenseDeclared: 'MIT AND ISC', ...change },
          annotations: [{ comment: 'checked' }, { comment: `breakwater:component ${JSON.stringify(facts)}` }],
        },
      ],
    });
  const facts = {
    name: ['g/a', 'a'],
    group: [null, 'g'],
    type: [null, 'deb'],
    licenses: [['MIT AND ISC'], ['MIT', 'ISC']],
  };

  test('say what the format has no field for', async () => {
    expect((await read(annotated(facts))).components).toMatchObject([
      { name: 'a', group: 'g', type: 'deb', licenses: ['MIT', 'ISC'] },
    ]);
  });

  test('what another tool changed since stays as it wrote it', async () => {
    const change = { licenseConcluded: 'GPL-2.0-only', primaryPackagePurpose: 'LIBRARY' };
    expect((await read(annotated(facts, change))).components).toMatchObject([
      { name: 'a', type: 'library', licenses: ['GPL-2.0-only'] },
    ]);
  });

  test.each([
    [{ name: ['g/a', null], licenses: [['MIT AND ISC'], 7], direct: [null, 'x'] }],
    [[]],
    [{ name: 'a', group: [] }],
  ])('facts that are none change nothing that a component needs: %j', async (broken) => {
    expect((await read(annotated(broken))).components).toMatchObject([{ name: 'g/a', licenses: ['MIT AND ISC'] }]);
  });

  test('a package may be called "none"', async () => {
    expect((await read(document({ packages: [{ ...library, name: 'none' }] }))).components).toMatchObject([
      { name: 'none' },
    ]);
  });
});

describe('spdx 2 advisories', () => {
  test('one finding per package and vulnerability; CPE and unnamed advisories are none', async () => {
    const { findings } = await read(
      document({
        packages: [
          {
            ...library,
            externalRefs: [
              purl('pkg:npm/a@1'),
              security('cpe23Type', 'cpe:2.3:a:a:CVE-2024-9999:1:*:*:*:*:*:*:*'),
              security('advisory', 'https://example.com/cve-2024-1234'),
              { ...security('fix', 'https://example.com/commit/1'), comment: 'Fixes CVE-2024-1234' },
              security('http://spdx.org/rdf/references/url', 'https://github.com/advisories/GHSA-JFH8-C2JP-5V3Q'),
              security('advisory', 'https://example.com/no-id'),
            ],
          },
        ],
      }),
    );
    expect(findings).toEqual([
      {
        kind: 'finding',
        ruleId: 'CVE-2024-1234',
        title: 'CVE-2024-1234 in a',
        type: 'SCA',
        severity: 'informational',
        description: 'Fixes CVE-2024-1234',
        cve: 'CVE-2024-1234',
        aliases: ['CVE-2024-1234'],
        references: ['https://example.com/cve-2024-1234', 'https://example.com/commit/1'],
        component: { name: 'a', version: '1', purl: 'pkg:npm/a@1', ecosystem: 'npm' },
      },
      expect.objectContaining({ ruleId: 'GHSA-jfh8-c2jp-5v3q', aliases: ['GHSA-jfh8-c2jp-5v3q'] }),
    ]);
  });
});

describe('spdx tag-value', () => {
  const text = [
    'SPDXVersion: SPDX-2.3',
    'SPDXID: SPDXRef-DOCUMENT',
    'Creator: Tool: syft-1.0.1',
    'Created: 2024-05-01T10:00:00Z',
    '',
    '# a comment',
    'PackageName: a',
    'SPDXID: SPDXRef-a',
    'PackageVersion: 1',
    'PackageLicenseDeclared: MIT',
    'PackageDescription: <text>Two',
    'lines: here</text>',
    'ExternalRef: SECURITY advisory https://example.com/CVE-2024-1234',
    'ExternalRefComment: <text>Seen.</text>',
    'ExternalRef: PACKAGE-MANAGER purl pkg:npm/a@1',
    'FileName: ./x',
    'SPDXID: SPDXRef-x',
    'PackageName: b',
    'SPDXID: SPDXRef-b',
    'Relationship: SPDXRef-a DEPENDS_ON SPDXRef-b',
  ].join('\r\n');

  test('the same as the JSON', async () => {
    const { components, findings, info, unreadable } = await parseText(spdx, text);
    expect(components).toEqual([
      {
        kind: 'component',
        ref: 'SPDXRef-a',
        name: 'a',
        version: '1',
        purl: 'pkg:npm/a@1',
        licenses: ['MIT'],
        description: expect.stringMatching(/^Two\r?\nlines: here$/),
        dependsOn: ['SPDXRef-b'],
      },
      { kind: 'component', ref: 'SPDXRef-b', name: 'b' },
    ]);
    expect(findings).toMatchObject([{ ruleId: 'CVE-2024-1234', description: 'Seen.' }]);
    expect(info).toMatchObject([{ toolName: 'syft', toolVersion: '1.0.1' }]);
    expect(unreadable).toEqual([]);
  });

  test('in UTF-16, and with a line that is none', async () => {
    const bytes = Buffer.from(`\ufeff${text}\r\nrubbish`, 'utf16le');
    const parsed = await parseBytes(spdx, bytes);
    expect(parsed.components).toHaveLength(2);
    expect(parsed.unreadable).toMatchObject([{ where: 'line 21' }]);
    expect(spdx.recognise(bytes)).toBeGreaterThan(0.9);
  });

  test('cut off inside a text: refused', async () => {
    await expect(
      parseText(spdx, 'SPDXVersion: SPDX-2.3\nPackageName: a\nPackageComment: <text>x'),
    ).rejects.toMatchObject({
      code: 'report_malformed',
      message: expect.stringContaining('line 3'),
    });
  });

  test.each([
    ['YAML', 'SPDXID: SPDXRef-DOCUMENT\nspdxVersion: "SPDX-2.3"\n'],
    ['RDF', '<?xml version="1.0"?><rdf:RDF xmlns:spdx="http://spdx.org/rdf/terms#"/>'],
  ])('%s is refused with what to do', async (form, other) => {
    await expect(parseText(spdx, other)).rejects.toThrow(new RegExp(`${form}.*Export it as JSON`));
  });
});

describe('spdx 3', () => {
  const graph = (...elements: object[]) => ({
    '@context': 'https://spdx.org/rdf/3.0.1/spdx-context.jsonld',
    '@graph': elements,
  });
  const lib = {
    type: 'software_Package',
    spdxId: 'urn:a',
    name: 'a',
    software_packageVersion: '1',
    software_packageUrl: 'pkg:npm/a@1',
    software_primaryPurpose: 'library',
  };
  const link = (relationshipType: string, from: string, to: string[], more: object = {}) => ({
    type: 'Relationship',
    relationshipType,
    from,
    to,
    ...more,
  });

  test('packages, licences and edges in any order', async () => {
    const { components, info } = await read(
      graph(
        link('dependsOn', 'urn:a', ['urn:b'], { type: 'LifecycleScopedRelationship', scope: 'runtime' }),
        link('hasDeclaredLicense', 'urn:a', ['urn:mit']),
        link('hasConcludedLicense', 'urn:b', ['https://spdx.org/licenses/Apache-2.0']),
        { type: 'simplelicensing_LicenseExpression', spdxId: 'urn:mit', simplelicensing_licenseExpression: 'MIT' },
        { type: 'CreationInfo', created: '2024-05-01T10:00:00Z' },
        { type: 'Tool', name: 'maker' },
        lib,
        {
          type: 'software_Package',
          spdxId: 'urn:b',
          name: 'b',
          externalIdentifier: [{ externalIdentifierType: 'packageUrl', identifier: 'pkg:npm/b@2' }],
        },
        { type: 'software_File', spdxId: 'urn:f', name: 'f' },
      ),
    );
    expect(components).toMatchObject([
      { ref: 'urn:a', name: 'a', version: '1', type: 'library', licenses: ['MIT'], dependsOn: ['urn:b'] },
      { ref: 'urn:b', name: 'b', purl: 'pkg:npm/b@2', licenses: ['Apache-2.0'] },
    ]);
    expect(info).toEqual([{ kind: 'report', toolName: 'maker', date: '2024-05-01T10:00:00.000Z' }]);
  });

  test('vulnerabilities with rating and VEX statements', async () => {
    const vulnerability = {
      type: 'security_Vulnerability',
      spdxId: 'urn:v',
      description: 'A fault in the parser stops the server. More.',
      externalIdentifier: [{ externalIdentifierType: 'cve', identifier: 'CVE-2024-1234' }],
    };
    const { findings } = await read(
      graph(
        vulnerability,
        lib,
        { ...lib, spdxId: 'urn:b', name: 'b' },
        link('hasAssociatedVulnerability', 'urn:a', ['urn:v']),
        link('doesNotAffect', 'urn:v', ['urn:b'], {
          type: 'security_VexNotAffectedVulnAssessmentRelationship',
          security_justificationType: 'componentNotPresent',
        }),
        link('hasAssessmentFor', 'urn:v', ['urn:a'], {
          type: 'security_CvssV3VulnAssessmentRelationship',
          security_score: '7.5',
          security_severity: 'high',
          security_vectorString: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H',
        }),
      ),
    );
    expect(findings).toMatchObject([
      {
        ruleId: 'CVE-2024-1234',
        title: 'CVE-2024-1234: A fault in the parser stops the server',
        cve: 'CVE-2024-1234',
        severity: 'high',
        nativeSeverity: 'high',
        cvssScore: 7.5,
        component: { name: 'a', version: '1' },
      },
      {
        component: { name: 'b' },
        suppressed: { verdict: 'false_positive', reason: expect.stringContaining('not affected') },
      },
    ]);
    expect(findings[0]?.suppressed).toBeUndefined();
  });

  test.each([
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H', { severity: 'high', cvssScore: 7.5, severityNumerical: 75 }],
    ['CVSS:3.1/AV:N', { severity: 'informational' }],
  ])('a vector without a score: %s', async (security_vectorString, expected) => {
    const { findings } = await read(
      graph(
        { type: 'security_Vulnerability', spdxId: 'urn:v', name: 'CVE-2024-1234' },
        lib,
        link('hasAssessmentFor', 'urn:v', ['urn:a'], {
          type: 'security_CvssV3VulnAssessmentRelationship',
          security_vectorString,
        }),
      ),
    );
    expect(findings).toMatchObject([expected]);
  });
});
