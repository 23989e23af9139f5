import { expect, test } from 'vitest';
import { readManifest } from './manifests.ts';

test('reads package.json, aliases by what they stand for', () => {
  const text = JSON.stringify({
    dependencies: { express: '^4', old: 'npm:lodash@3', scoped: 'npm:@a/b@1' },
    devDependencies: { vitest: '1' },
    optionalDependencies: { fsevents: '*' },
    peerDependencies: { react: '>=18' },
    overrides: { qs: '6' },
  });
  expect(readManifest('package.json', text)).toEqual({
    ecosystem: 'npm',
    declared: ['express', 'lodash', '@a/b', 'vitest', 'fsevents', 'react'],
    aliases: { old: 'lodash', scoped: '@a/b' },
  });
});

test('reads requirements of Python', () => {
  const text = `# a comment
requests[security]>=2.8 ; python_version < "3"
Django==4.2 \\
    --hash=sha256:abc
-r other.txt
--index-url https://example.org/simple
git+https://example.org/a.git
urllib3 @ https://example.org/urllib3.whl
flask # the web
zope.interface~=5.0
./local
`;
  expect(readManifest('requirements-dev.txt', text)?.declared).toEqual([
    'requests',
    'Django',
    'urllib3',
    'flask',
    'zope.interface',
  ]);
});

test('reads pyproject.toml and Pipfile', () => {
  const text = `[project]
dependencies = ["requests>=2", "pyyaml"]
[project.optional-dependencies]
test = ["pytest"]
[dependency-groups]
lint = ["ruff", {include-group = "test"}]
[tool.poetry.dependencies]
python = "^3.11"
flask = "^3"
[tool.poetry.group.dev.dependencies]
black = "*"
`;
  expect(readManifest('pyproject.toml', text)?.declared).toEqual([
    'requests',
    'pyyaml',
    'pytest',
    'ruff',
    'flask',
    'black',
  ]);
  expect(readManifest('Pipfile', '[packages]\nflask = "*"\n[dev-packages]\n"a.b" = "*"\n')?.declared).toEqual([
    'flask',
    'a.b',
  ]);
});

test('reads go.mod without what only other modules need', () => {
  const text = `module example.org/x
go 1.22
require github.com/a/b v1.2.3
require (
	golang.org/x/net v0.1.0
	github.com/c/d v0.0.0-2020 // indirect
)
replace github.com/e/f => ../f
`;
  expect(readManifest('go.mod', text)?.declared).toEqual(['github.com/a/b', 'golang.org/x/net']);
});

test('reads pom.xml without what it only gives a version for', () => {
  const text = `<?xml version="1.0"?><project xmlns="http://maven.apache.org/POM/4.0.0">
<dependencyManagement><dependencies><dependency><groupId>no</groupId><artifactId>no</artifactId></dependency></dependencies></dependencyManagement>
<dependencies><dependency><groupId>log4j</groupId><artifactId>log4j</artifactId>
<exclusions><exclusion><groupId>x</groupId><artifactId>y</artifactId></exclusion></exclusions></dependency>
<dependency><artifactId>spring-core</artifactId><groupId> org.springframework </groupId></dependency></dependencies></project>`;
  expect(readManifest('pom.xml', text)?.declared).toEqual(['log4j:log4j', 'org.springframework:spring-core']);
});

test.each([
  ['package.json', '{'],
  ['package.json', ''],
  ['pyproject.toml', '[[['],
  ['pom.xml', '<a>'],
  ['setup.py', 'setup()'],
])('nothing is concluded from %s with %j', (name, text) => {
  expect(readManifest(name, text)).toBeUndefined();
});
