import { expect, test } from 'vitest';
import { parseText } from '../../testing/samples.ts';
import { gitlab } from './parser.ts';

/** Layout of the dependency list: security-report-schemas, dependency-scanning-report-format 15.0, `dependency_files`. */
const report = (...dependencies: unknown[]) =>
  JSON.stringify({
    version: '15.0.7',
    vulnerabilities: [],
    scan: { type: 'dependency_scanning', scanner: { id: 'gemnasium', name: 'Gemnasium' } },
    dependency_files: [{ path: 'web/yarn.lock', package_manager: 'yarn', dependencies }],
  });

test('packages of the lock files are components, each with what it needs', async () => {
  const { components, unreadable, findings } = await parseText(
    gitlab,
    report(
      { iid: 1, direct: true, package: { name: '@babel/core' }, version: '7.1.0' },
      { iid: 2, dependency_path: [{ iid: 1 }], package: { name: 'semver' }, version: '5.7.0' },
      { package: {} },
      { package: { name: 'left-pad' } },
    ),
  );
  expect(components).toEqual([
    {
      kind: 'component',
      ref: 'web/yarn.lock#1',
      name: '@babel/core',
      version: '7.1.0',
      purl: 'pkg:npm/%40babel/core@7.1.0',
      type: 'library',
      direct: true,
      dependsOn: ['web/yarn.lock#2'],
    },
    expect.objectContaining({ ref: 'web/yarn.lock#2', purl: 'pkg:npm/semver@5.7.0' }),
    expect.objectContaining({ name: 'left-pad', purl: 'pkg:npm/left-pad' }),
  ]);
  expect(unreadable.map(({ where }) => where)).toEqual(['dependency_files[0].dependencies[2]']);
  expect(findings).toEqual([]);
});
