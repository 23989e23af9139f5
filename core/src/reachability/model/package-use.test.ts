import { expect, test } from 'vitest';
import { type CoveredEcosystem, type EcosystemImports, useOfPackage } from './package-use.ts';

const known = (
  ecosystem: CoveredEcosystem,
  names: string[],
  change: Partial<EcosystemImports> = {},
): EcosystemImports => ({
  ...{ ecosystem, declared: [], aliases: {}, isDynamic: false, isComplete: true },
  imports: names.map((name) => ({ name, files: 1, path: 'a', line: 1 })),
  ...change,
});
const useOf = (ecosystem: CoveredEcosystem, name: string, component: string) =>
  useOfPackage(known(ecosystem, [name]), component).use;

test.each<[CoveredEcosystem, string, string]>([
  ['npm', 'lodash/get', 'lodash'],
  ['npm', '@babel/core/lib/x', '@babel/core'],
  ['pypi', 'yaml.nodes', 'PyYAML'],
  ['pypi', 'requests.adapters', 'requests'],
  ['pypi', 'flask_login', 'Flask-Login'],
  ['pypi', 'google.cloud.storage', 'google-cloud-storage'],
  ['pypi', 'PIL.Image', 'Pillow'],
  ['maven', 'org.apache.commons.io.IOUtils', 'commons-io:commons-io'],
  ['maven', 'com.fasterxml.jackson.databind.ObjectMapper', 'com.fasterxml.jackson.core:jackson-databind'],
  ['maven', 'org.apache.logging.log4j.LogManager', 'org.apache.logging.log4j:log4j-core'],
  ['maven', 'io.netty.buffer.ByteBuf', 'io.netty/netty-buffer'],
  ['golang', 'golang.org/x/net/html', 'golang.org/x/net'],
])('%s: %s is of %s', (ecosystem, name, component) => {
  expect(useOf(ecosystem, name, component)).toBe('imported');
});

test.each<[CoveredEcosystem, string, string]>([
  ['npm', 'lodash-es', 'lodash'],
  ['npm', 'lodash', 'Lodash'],
  ['npm', '@a/lodash', 'lodash'],
  ['pypi', 'requests_oauthlib', 'requests'],
  ['pypi', 'google.cloud.storage', 'google-cloud-bigquery'],
  ['golang', 'golang.org/x/netutil', 'golang.org/x/net'],
  ['maven', 'com.fasterxml.jackson.databind.X', 'com.fasterxml.jackson.core:jackson-core'],
])('%s: %s is not of %s', (ecosystem, name, component) => {
  expect(useOf(ecosystem, name, component)).not.toBe('imported');
});

test('says what imports it', () => {
  const by = { name: 'old/x', files: 3, path: 'src/a.js', line: 7 };
  const imports = known('npm', [], { imports: [by], aliases: { old: 'lodash' } });
  expect(useOfPackage(imports, 'lodash')).toEqual({ use: 'imported', by });
});

test.each<[string, Partial<EcosystemImports>, string]>([
  ['a dependency that nothing imports', { declared: ['qs'] }, 'not_imported'],
  ['a package that no manifest names', { declared: ['express'] }, 'transitive'],
  ['no manifest that can be read', { declared: undefined }, 'unknown'],
  ['an import under a computed name', { declared: ['qs'], isDynamic: true }, 'unknown'],
  ['source that was not all read', { declared: ['qs'], isComplete: false }, 'unknown'],
])('%s: %o is %s', (_, change, use) => {
  expect(useOfPackage(known('npm', ['express'], change), 'qs').use).toBe(use);
});

test('of Java nothing is said to be imported nowhere: configuration reaches it too', () => {
  const imports = known('maven', ['a.B'], { declared: ['org.postgresql:postgresql'] });
  expect(useOfPackage(imports, 'org.postgresql:postgresql').use).toBe('unknown');
  expect(useOfPackage(imports, 'org.yaml:snakeyaml').use).toBe('transitive');
});

test('names of Python are one whatever their case and separators', () => {
  expect(useOfPackage(known('pypi', [], { declared: ['Zope.Interface'] }), 'zope-interface').use).toBe('not_imported');
});
