import { expect, test } from 'vitest';
import { createUseReader } from './match-imports.ts';
import { type CoveredEcosystem, type EcosystemImports, packageOf } from './package-use.ts';

const known = (
  ecosystem: CoveredEcosystem,
  names: string[],
  change: Partial<EcosystemImports> = {},
): EcosystemImports => ({
  ...{ ecosystem, declared: [], aliases: {}, isDynamic: false, isComplete: true },
  imports: names.map((name) => ({ name, files: 1, path: 'a', line: 1 })),
  ...change,
});
const findUse = (imports: EcosystemImports, component: string) => createUseReader(imports)(component);
const useOf = (ecosystem: CoveredEcosystem, name: string, component: string) =>
  findUse(known(ecosystem, [name]), component).use;

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
  ['golang', 'github.com/BurntSushi/toml', 'github.com/burntsushi/toml'],
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
  expect(findUse(imports, 'lodash')).toEqual({ use: 'imported', by });
});

test.each<[string, Partial<EcosystemImports>, string]>([
  ['a dependency that nothing imports', { declared: ['qs'] }, 'not_imported'],
  ['a package that no manifest names', { declared: ['express'] }, 'transitive'],
  ['no manifest that can be read', { declared: undefined }, 'unknown'],
  ['an import under a computed name', { declared: ['qs'], isDynamic: true }, 'unknown'],
  ['source that was not all read', { declared: ['qs'], isComplete: false }, 'unknown'],
])('%s: %o is %s', (_, change, use) => {
  expect(findUse(known('npm', ['express'], change), 'qs').use).toBe(use);
});

test('of Java nothing is said to be imported nowhere: configuration reaches it too', () => {
  const imports = known('maven', ['a.B'], { declared: ['org.postgresql:postgresql'] });
  expect(findUse(imports, 'org.postgresql:postgresql').use).toBe('unknown');
  expect(findUse(imports, 'org.yaml:snakeyaml').use).toBe('transitive');
});

test('names of Python are one whatever their case and separators', () => {
  expect(findUse(known('pypi', [], { declared: ['Zope.Interface'] }), 'zope-interface').use).toBe('not_imported');
});

test('names of built-in properties are names like others', () => {
  for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
    for (const ecosystem of ['npm', 'pypi', 'golang', 'maven'] as const) {
      const imports = known(ecosystem, [name], { declared: [name], aliases: JSON.parse('{"__proto__":"qs"}') });
      expect(() => findUse(imports, `${name}:${name}`)).not.toThrow();
    }
    expect(findUse(known('npm', [name]), name).use).toBe('imported');
  }
});

test('thousands of packages are looked up in a long list of imports, however deep its names', () => {
  const names = Array.from({ length: 20_000 }, (_, index) => `a${'.b'.repeat(200)}.c${index}`);
  const read = createUseReader(known('pypi', [...names, 'last.module'], { declared: [] }));
  for (let index = 0; index < 20_000; index += 1) expect(read(`package-${index}`).use).toBe('transitive');
  expect(read('last').by?.name).toBe('last.module');
});

test.each([
  [{ name: 'x', ecosystem: 'npm', purl: 'pkg:npm/%40babel/core@7.0.0?a=b#c' }, 'npm', '@babel/core'],
  [{ name: 'x', ecosystem: 'npm', purl: 'pkg:npm/@babel/core@7.0.0' }, 'npm', '@babel/core'],
  [{ name: 'x', ecosystem: 'npm', purl: 'pkg:npm/@babel/core' }, 'npm', '@babel/core'],
  [{ name: 'x', ecosystem: null, purl: 'pkg:maven/org.yaml/snakeyaml@1.33' }, 'maven', 'org.yaml:snakeyaml'],
  [{ name: 'x', ecosystem: 'x', purl: 'pkg:golang/golang.org/x/net@v0.1.0' }, 'golang', 'golang.org/x/net'],
  [{ name: 'lodash', ecosystem: 'npm', purl: null }, 'npm', 'lodash'],
  [{ name: 'org.yaml:snakeyaml', ecosystem: 'java-archive', purl: null }, 'maven', 'org.yaml:snakeyaml'],
  [{ name: 'a', ecosystem: 'npm', purl: 'pkg:npm/%E0%A4%A@1' }, 'npm', '%E0%A4%A'],
])('%o is a package', (component, ecosystem, name) => {
  expect(packageOf(component)).toEqual({ ecosystem, name });
});

test.each([
  ['of another ecosystem', { name: 'bash', ecosystem: 'deb', purl: 'pkg:deb/debian/bash@5' }],
  ['without an ecosystem', { name: 'bash', ecosystem: null, purl: null }],
  ['of Java without its group', { name: 'log4j-core', ecosystem: 'java-archive', purl: null }],
  ["that is the language's own", { name: 'stdlib', ecosystem: 'golang', purl: 'pkg:golang/stdlib@1.21' }],
  ['that no table knows', { name: 'x', ecosystem: 'constructor', purl: null }],
])('of a component %s nothing can be said', (_, component) => {
  expect(packageOf(component)).toBeUndefined();
});
