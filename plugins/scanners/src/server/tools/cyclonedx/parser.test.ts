import { describe, expect, test } from 'vitest';
import { parseBytes, parseText, sampleBytes } from '../../testing/samples.ts';
import { cyclonedx } from './parser.ts';

function bom(parts: object): string {
  return JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', ...parts });
}

describe('cyclonedx inventory', () => {
  test('licences, edges and which components are needed directly', async () => {
    const { components } = await parseText(
      cyclonedx,
      bom({
        metadata: { component: { type: 'application', name: 'shop', 'bom-ref': 'root' } },
        components: [
          {
            type: 'library',
            'bom-ref': 'a',
            name: 'a',
            version: '1',
            group: 'g',
            purl: 'pkg:npm/%40g/a@1',
            scope: 'required',
            licenses: [{ license: { id: 'MIT' } }, { expression: 'Apache-2.0 OR MIT' }, { license: { name: 'Ours' } }],
          },
          { type: 'library', 'bom-ref': 'b', name: 'b', scope: 'dreamt' },
        ],
        dependencies: [
          { ref: 'root', dependsOn: ['a'] },
          { ref: 'a', dependsOn: ['b'] },
        ],
      }),
    );
    expect(components).toEqual([
      {
        kind: 'component',
        ref: 'a',
        name: 'a',
        version: '1',
        group: 'g',
        purl: 'pkg:npm/%40g/a@1',
        type: 'library',
        scope: 'required',
        licenses: ['MIT', 'Apache-2.0 OR MIT', 'Ours'],
        dependsOn: ['b'],
        direct: true,
      },
      { kind: 'component', ref: 'b', name: 'b', type: 'library', direct: false },
    ]);
  });

  test('without a graph nothing is said about directness', async () => {
    const { components } = await parseText(cyclonedx, bom({ components: [{ name: 'a' }] }));
    expect(components).toEqual([{ kind: 'component', ref: 'a', name: 'a' }]);
  });

  test("a manifest between the root and its packages is looked through (Trivy's layout)", async () => {
    const { components } = await parseBytes(cyclonedx, sampleBytes('cyclonedx/trivy_npm-cyclonedx.json'));
    expect(components.find((component) => component.name === 'package-lock.json')?.direct).toBe(true);
    expect(components.some((component) => component.purl !== undefined && component.direct === true)).toBe(true);
    expect(components.some((component) => component.direct === false)).toBe(true);
  });

  test('nested components count, refs stay unique, nameless ones are listed', async () => {
    const { components, unreadable } = await parseText(
      cyclonedx,
      bom({
        components: [
          { name: 'outer', components: [{ name: 'inner', components: [{ name: 'inner' }, { version: '1' }] }] },
        ],
      }),
    );
    expect(components.map((component) => component.ref)).toEqual(['outer', 'inner', 'inner#2']);
    expect(unreadable).toEqual([
      { kind: 'unreadable', where: 'components[0].components[0].components[1]', why: expect.stringContaining('name') },
    ]);
  });

  test('XML and JSON of the same inventory agree', async () => {
    const json = await parseBytes(cyclonedx, sampleBytes('cyclonedx/ex_cern-lhc-vdm-editor-e564943_bom.json'));
    const xml = await parseBytes(cyclonedx, sampleBytes('cyclonedx/ex_cern-lhc-vdm-editor-e564943_bom.xml'));
    const key = (component: (typeof json.components)[number]) =>
      [component.ref, component.purl, component.type, component.licenses?.join(), component.scope].join(' ');
    expect(xml.components.map(key).sort()).toEqual(json.components.map(key).sort());
    expect(xml.info[0]).toMatchObject({ toolName: json.info[0]?.toolName, toolVersion: json.info[0]?.toolVersion });
  });

  test('an image is the target, without its tag', async () => {
    const { info } = await parseBytes(cyclonedx, sampleBytes('cyclonedx/issue_9277.json'));
    expect(info).toMatchObject([{ toolName: 'trivy', toolVersion: '0.48.1', target: 'ubuntu' }]);
  });
});

describe('cyclonedx vulnerabilities', () => {
  const vulnerability = {
    id: 'CVE-2024-3333',
    ratings: [{ severity: 'high', score: 7.5, method: 'CVSSv31', vector: 'AV:N/AC:L' }],
  };
  const library = { 'bom-ref': 'a', name: 'a', version: '1', purl: 'pkg:npm/a@1' };
  const read = async (change: object, rest: object = {}) =>
    (
      await parseText(
        cyclonedx,
        bom({ components: [library], ...rest, vulnerabilities: [{ ...vulnerability, ...change }] }),
      )
    ).findings;

  test('one finding per affected component, none named: one', async () => {
    expect(await read({ affects: [{ ref: 'a' }, { ref: 'pkg:npm/b@2' }] })).toMatchObject([
      { component: { name: 'a', version: '1', ecosystem: 'npm' } },
      { component: { name: 'b', version: '2' } },
    ]);
    expect(await read({})).toMatchObject([
      { title: 'CVE-2024-3333', cvssScore: 7.5, cvssVector: 'CVSS:3.1/AV:N/AC:L', severity: 'high' },
    ]);
  });

  test('the root of the document can be what is affected, and is no component of it', async () => {
    const metadata = { component: { name: 'shop', version: '3', 'bom-ref': 'root' } };
    const parsed = await parseText(
      cyclonedx,
      bom({ metadata, vulnerabilities: [{ ...vulnerability, affects: [{ ref: 'root' }] }] }),
    );
    expect(parsed.findings).toMatchObject([{ component: { name: 'shop', version: '3' } }]);
    expect(parsed.components).toEqual([]);
  });

  test('links of the form urn:cdx point into the document', async () => {
    expect(await read({ affects: [{ ref: 'urn:cdx:3e671687-395b-41f5-a30f-a58921a69b79/1#a' }] })).toMatchObject([
      { component: { name: 'a' } },
    ]);
  });

  test('a rating without severity is rated by its score; other methods have other scales', async () => {
    expect(await read({ ratings: [{ score: 10, method: 'CVSSv3' }] })).toMatchObject([{ severity: 'critical' }]);
    expect((await read({ ratings: [{ score: 9, method: 'OWASP', severity: 'low' }] }))[0]?.cvssScore).toBeUndefined();
  });

  test.each([
    ['not_affected', 'false_positive'],
    ['false_positive', 'false_positive'],
    ['resolved', 'mitigated_externally'],
    ['exploitable', undefined],
    ['in_triage', undefined],
  ])('VEX state %s', async (state, verdict) => {
    const [finding] = await read({ analysis: { state, justification: 'code_not_reachable', detail: 'Checked.' } });
    expect(finding?.suppressed?.verdict).toBe(verdict);
    if (verdict !== undefined) expect(finding?.suppressed?.reason).toContain('code not reachable');
  });

  test('versions that are not affected are the fix', async () => {
    const versions = [
      { version: '1', status: 'affected' },
      { version: '1.0.1', status: 'unaffected' },
    ];
    expect(await read({ affects: [{ ref: 'a', versions }] })).toMatchObject([{ component: { fixedVersion: '1.0.1' } }]);
  });

  test('the extension of 1.1, inside and outside of its component', async () => {
    const entry =
      '<v:vulnerability ref="a"><v:id>CVE-2020-1</v:id><v:ratings><v:rating><v:score><v:base>9.1</v:base></v:score><v:method>CVSSv3</v:method></v:rating></v:ratings></v:vulnerability>';
    const component = (inner: string) =>
      `<components><component type="library" bom-ref="a"><name>a</name><version>1</version>${inner}</component></components>`;
    const document = (body: string) =>
      `<?xml version="1.0"?><bom xmlns="http://cyclonedx.org/schema/bom/1.1" xmlns:v="http://cyclonedx.org/schema/ext/vulnerability/1.0">${body}</bom>`;
    for (const body of [
      component(`<v:vulnerabilities>${entry}</v:vulnerabilities>`),
      `${component('')}<v:vulnerabilities>${entry}</v:vulnerabilities>`,
    ]) {
      expect((await parseText(cyclonedx, document(body))).findings).toMatchObject([
        { ruleId: 'CVE-2020-1', severity: 'critical', component: { name: 'a' } },
      ]);
    }
  });

  test('the extension in JSON, and in components of components, is about the component that it stands in', async () => {
    const vulnerability = {
      id: 'CVE-2020-2',
      source: { name: 'NVD', url: 'https://nvd.nist.gov/' },
      ratings: [{ score: { base: 9.1, impact: 5.9 }, severity: 'Critical', method: 'CVSSv3' }],
      cwes: [502],
      recommendations: ['Upgrade.', { recommendation: 'Or remove it.' }],
      advisories: ['https://a.example/1', { advisory: 'https://a.example/2' }],
    };
    const bom = (components: unknown[], more: object = {}) =>
      JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.2', components, ...more });
    // neither has a bom-ref, and one of the refs names nothing that is there
    const inner = {
      type: 'library',
      name: 'inner',
      version: '2',
      vulnerabilities: [{ ...vulnerability, ref: 'gone' }],
    };
    const outer = {
      type: 'library',
      name: 'outer',
      version: '1',
      components: [inner],
      vulnerabilities: [vulnerability],
    };
    const { findings, unreadable } = await parseText(cyclonedx, bom([outer, { ...inner, vulnerabilities: ['x'] }]));
    expect(findings).toMatchObject([
      { ruleId: 'CVE-2020-2', severity: 'critical', cvssScore: 9.1, component: { name: 'outer', version: '1' } },
      { ruleId: 'CVE-2020-2', cwe: [502], component: { name: 'inner', version: '2' } },
    ]);
    expect(findings[0]).toMatchObject({
      mitigation: 'Upgrade.\n\nOr remove it.',
      references: ['https://nvd.nist.gov/', 'https://a.example/1', 'https://a.example/2'],
    });
    expect(unreadable).toMatchObject([{ where: 'components[1].vulnerabilities[0]' }]);
    const beside = bom([{ type: 'library', 'bom-ref': 'r', name: 'b', version: '3' }], {
      vulnerabilities: [{ ...vulnerability, ref: 'r' }],
    });
    expect((await parseText(cyclonedx, beside)).findings).toMatchObject([{ component: { name: 'b', version: '3' } }]);
  });

  test.each(['', 'ref="gone"'])('the extension in XML below nested components, with the reference %j', async (ref) => {
    const nested = `<component type="library"><name>inner</name><version>2</version>
      <v:vulnerabilities><v:vulnerability ${ref}><v:id>CVE-2020-3</v:id></v:vulnerability></v:vulnerabilities></component>`;
    const document = `<?xml version="1.0"?><bom xmlns="http://cyclonedx.org/schema/bom/1.2" xmlns:v="http://cyclonedx.org/schema/ext/vulnerability/1.0">
      <components><component type="library"><name>outer</name><version>1</version><components>${nested}</components></component></components></bom>`;
    expect((await parseText(cyclonedx, document)).findings).toMatchObject([
      { ruleId: 'CVE-2020-3', component: { name: 'inner', version: '2' } },
    ]);
  });

  test('another XML document is refused', async () => {
    await expect(parseText(cyclonedx, '<bom xmlns="urn:other"/>')).rejects.toMatchObject({ code: 'report_wrong_tool' });
    await expect(
      parseText(cyclonedx, '<bom xmlns="http://cyclonedx.org/schema/bom/1.4"><components>'),
    ).rejects.toMatchObject({ code: 'report_malformed' });
  });
});
