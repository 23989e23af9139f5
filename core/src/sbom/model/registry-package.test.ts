import { expect, test } from 'vitest';
import { createExclusion, exclusionIssue, exclusionLines } from './excluded-packages.ts';
import { registryPackageOf } from './registry-package.ts';

const of = (purl: string | null, name = 'x', group_name: string | null = null) => {
  const found = registryPackageOf({ purl, name, group_name });
  return found === undefined ? undefined : `${found.system} ${found.name}`;
};

test.each([
  ['pkg:npm/lodash@4.17.21', 'npm lodash'],
  ['pkg:npm/%40babel/core@7.0.0', 'npm @babel/core'],
  ['pkg:npm/@babel/core@7.0.0?arch=x#a/b', 'npm @babel/core'],
  ['pkg:npm/@babel/core', 'npm @babel/core'],
  ['pkg:pypi/Zope.Interface_x@1.0', 'pypi zope-interface-x'],
  ['pkg:maven/org.apache.commons/commons-text@1.9?type=jar', 'maven org.apache.commons:commons-text'],
  ['pkg:cargo/serde@1.0.0', 'cargo serde'],
  ['pkg:nuget/Newtonsoft.Json@13.0.1', 'nuget newtonsoft.json'],
  ['pkg:gem/rails@7.0.0?platform=ruby', 'rubygems rails'],
  ['pkg:golang/golang.org/x/net@v0.1.0#http2', 'go golang.org/x/net'],
])('%s is %s', (purl, expected) => expect(of(purl)).toBe(expected));

test('a Go module keeps the letters that the inventory names it with', () => {
  expect(of('pkg:golang/github.com/burntsushi/toml@v1.0.0', 'github.com/BurntSushi/toml')).toBe(
    'go github.com/BurntSushi/toml',
  );
  expect(of('pkg:golang/github.com/burntsushi/toml@v1.0.0', 'toml')).toBe('go github.com/burntsushi/toml');
});

test.each([
  null,
  'lodash',
  'pkg:deb/debian/openssl@3.0',
  'pkg:docker/acme/shop@1',
  'pkg:npm/..%2F..%2Fsecret@1',
  'pkg:npm/../../systems@1',
  'pkg:npm/a%2Fb%2Fc@1',
  'pkg:npm/%E0%A4%A@1',
  'pkg:npm/..@1',
  'pkg:maven/commons-text@1',
  'pkg:maven/a..b/../c@1',
  'pkg:golang/shop@v1',
  'pkg:golang/example.com/../etc@v1',
  'pkg:golang/example.com/a b@v1',
  'pkg:golang/https:%2F%2Fexample.com/a@v1',
  `pkg:npm/${'a'.repeat(215)}@1`,
  'pkg:npm/a%0d%0aHost:x@1',
  'pkg:constructor/a@1',
])('%s is not asked for', (purl) => expect(of(purl)).toBeUndefined());

test('private packages are told by patterns, however a name is spelled', () => {
  const npm = (name: string) => ({ system: 'npm', name }) as const;
  const maven = (name: string) => ({ system: 'maven', name }) as const;
  const isExcluded = createExclusion(['@acme/*', 'com.acme*', 'Shop_Core', 'github.com/acme/*', '*-internal']);
  for (const known of [
    npm('@acme/ui'),
    npm('@ACME/ui'),
    maven('com.acme:shop'),
    maven('com.acme.pay:api'),
    { system: 'pypi', name: 'shop-core' } as const,
    { system: 'go', name: 'github.com/acme/tools/v2' } as const,
    npm('billing-internal'),
  ]) {
    expect(isExcluded(known), known.name).toBe(true);
  }
  for (const known of [npm('@acme2/ui'), npm('acme'), maven('org.com.acme:x'), npm('shop-core2'), npm('internal')]) {
    expect(isExcluded(known), known.name).toBe(false);
  }
  expect(createExclusion(['com.acme:*'])(maven('com.acme:shop'))).toBe(true);
  expect(createExclusion(['com.acme/shop'])(maven('com.acme:shop'))).toBe(true);
  expect(createExclusion([])(npm('a'))).toBe(false);
  // as many stars as fit do not take long
  expect(createExclusion([`${'*a'.repeat(100)}*b`])(npm('a'.repeat(214)))).toBe(false);
});

test('lines that can be no pattern are told what is wrong', () => {
  expect(exclusionLines(' @acme/* \r\n\n com.acme:*')).toEqual(['@acme/*', 'com.acme:*']);
  for (const good of ['@acme/*', 'com.acme:*', 'github.com/acme/*', 'a', 'x_y.z-1']) {
    expect(exclusionIssue(good), good).toBeUndefined();
  }
  expect(exclusionIssue('*')).toMatch('turn the lookup off');
  expect(exclusionIssue('*/*')).toMatch('turn the lookup off');
  expect(exclusionIssue('https://npm.acme.test')).toMatch('not an address');
  expect(exclusionIssue('pkg:npm/@acme/ui')).toMatch('without “pkg:”');
  expect(exclusionIssue('@acme/* com.acme:*')).toMatch('one pattern on each line');
  expect(exclusionIssue('@acme/(ui|api)')).toMatch('may have letters');
  expect(exclusionIssue('a'.repeat(215))).toMatch('214');
});
