import { describe, expect, test } from 'vitest';
import { parsers } from '../../index.ts';
import { parseBytes, parseText, sampleBytes } from '../../testing/samples.ts';
import { syft } from './parser.ts';

const withOthers = parsers.find(({ tool }) => tool === 'syft') ?? syft;

function report(parts: object): string {
  return JSON.stringify({ artifacts: [], descriptor: { name: 'syft', version: '1.20.0' }, ...parts });
}
const artifact = (id: string, more: object = {}) => ({
  id,
  name: id,
  version: '1',
  type: 'npm',
  foundBy: 'x',
  ...more,
});

describe('syft', () => {
  test('licences of every schema, and what each package needs', async () => {
    const { components, info, findings } = await parseText(
      syft,
      report({
        artifacts: [
          artifact('app', { purl: 'pkg:npm/app@1', licenses: ['MIT', 'Apache-2.0'] }),
          artifact('lib', {
            licenses: [
              { value: 'GPLv2', spdxExpression: 'GPL-2.0-only', type: 'declared' },
              { value: 'Our licence', spdxExpression: '' },
            ],
          }),
        ],
        artifactRelationships: [
          { parent: 'lib', child: 'app', type: 'dependency-of' },
          { parent: 'app', child: 'file-1', type: 'contains' },
        ],
        source: { type: 'image', metadata: { userInput: 'registry.example/shop:1.2' } },
      }),
    );
    expect(components).toEqual([
      {
        kind: 'component',
        ref: 'app',
        name: 'app',
        version: '1',
        purl: 'pkg:npm/app@1',
        type: 'npm',
        licenses: ['MIT', 'Apache-2.0'],
        dependsOn: ['lib'],
      },
      {
        kind: 'component',
        ref: 'lib',
        name: 'lib',
        version: '1',
        type: 'npm',
        licenses: ['GPL-2.0-only', 'Our licence'],
      },
    ]);
    expect(info).toEqual([
      { kind: 'report', toolName: 'Syft', toolVersion: '1.20.0', target: 'registry.example/shop' },
    ]);
    expect(findings).toEqual([]);
  });

  test('the target of an old schema; a folder is none', async () => {
    const { info } = await parseBytes(syft, sampleBytes('syft/alpine-format.syft.json'));
    expect(info[0]?.target).toBe('alpine');
    const folder = await parseBytes(syft, sampleBytes('syft/directory-encoder.syft.json'));
    expect(folder.info[0]?.target).toBeUndefined();
  });

  test('refs stay unique, packages without id are named by purl', async () => {
    const same = { name: 'a', version: '1', type: 'gem', foundBy: ['old'] };
    const { components } = await parseText(
      syft,
      report({ artifacts: [artifact('x'), artifact('x'), same, { ...same, purl: 'pkg:gem/a@1' }] }),
    );
    expect(components.map((component) => component.ref)).toEqual(['x', 'x#1', 'a@1', 'pkg:gem/a@1']);
  });

  test('a package without name is listed, a report of such is refused', async () => {
    const parsed = await parseText(syft, report({ artifacts: [artifact('a'), { id: 'b', version: '1' }] }));
    expect(parsed.components).toHaveLength(1);
    expect(parsed.unreadable).toMatchObject([{ where: 'artifacts[1]', why: expect.stringContaining('name') }]);
    await expect(parseText(syft, report({ artifacts: [{ id: 'b' }] }))).rejects.toMatchObject({
      code: 'report_wrong_tool',
    });
  });

  test('packages on lines of their own', async () => {
    const lines = [artifact('a'), artifact('b')].map((record) => JSON.stringify(record)).join('\n');
    expect((await parseText(syft, lines)).components).toHaveLength(2);
  });

  test('an empty inventory is one only in its frame', async () => {
    expect((await parseText(syft, report({ artifacts: null, schema: {} }))).components).toEqual([]);
    for (const text of ['[]', 'null', '{"artifacts":[]}']) {
      await expect(parseText(syft, text)).rejects.toMatchObject({ code: 'report_wrong_tool' });
    }
  });

  test('the inventories Syft writes in standard formats are sent to their importers', async () => {
    await expect(parseBytes(withOthers, sampleBytes('cyclonedx/syft_directory.cdx.json'))).rejects.toMatchObject({
      code: 'report_wrong_tool',
      message: expect.stringContaining('CycloneDX'),
    });
  });
});
