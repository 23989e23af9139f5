import { describe, expect, it } from 'vitest';
import { after, change, finding, plan } from '../../../../testing/planned-fix.ts';

/** As Maven writes the use of a property. */
const property = (name: string): string => `\${${name}}`;

const of = (ecosystem: string, name: string, version: string, fixedVersion: string, file: string) =>
  finding('1', { ecosystem, name, version, fixedVersion }, file);

describe('pyproject.toml and Pipfile', () => {
  const own = of('pypi', 'urllib3', '1.26.4', '1.26.17', 'pyproject.toml');

  it.each([
    [
      'PEP 621',
      '[project]\ndependencies = [\n  "requests", # "urllib3==1.26.4"\n  \'urllib3[socks] >=1.26.4,<2 ; python_version > "3"\',\n]\n',
      '>=1.26.4,<2 ;',
      '>=1.26.17,<2 ;',
    ],
    ['optional dependencies', '[project.optional-dependencies]\nweb = ["urllib3==1.26.4"]', '==1.26.4', '==1.26.17'],
    ['groups', '[dependency-groups]\r\ndev = [{include-group = "x"}, "urllib3~=1.26.4"]\r\n', '~=1.26.4', '~=1.26.17'],
    ['Poetry', '[tool.poetry.dependencies]\npython = "^3.9"\nurllib3 = "^1.26.4"  # pinned\n', '^1.26.4', '^1.26.17'],
    [
      'a table of Poetry',
      '[tool.poetry.group.dev.dependencies]\nUrllib3 = { extras = ["socks"], version = "1.26.4" }',
      '1.26.4',
      '1.26.17',
    ],
    [
      'a table of its own',
      "[tool.poetry.dependencies.urllib3]\nversion = '~1.26.4'\noptional = true\n",
      '~1.26.4',
      '~1.26.17',
    ],
    ['a dotted key', 'tool.poetry.dependencies."urllib3".version = "*"\n', '*', '^1.26.17'],
    [
      'a byte order mark, long strings and escapes',
      '\uFEFFx = """\n[project]\ndependencies = ["urllib3==1.26.4"]\n\\""""\ny = \'\'\'"\'\'\'\n["a.b"]\n"c\\"]" = 1979-05-27T07:32:00Z\n[project]\ndependencies = ["urllib3 == 1.26.4"]',
      '"urllib3 == 1.26.4',
      '"urllib3 == 1.26.17',
    ],
  ])('is edited in %s, and nothing else in it', async (_, content, from, to) => {
    expect(await after(own, 'pyproject.toml', content)).toBe(content.replace(from, () => to));
  });

  it('is edited in Pipfile', async () => {
    const content = '[[source]]\nname = "pypi"\n\n[packages]\nurllib3 = "==1.26.4"\n\n[dev-packages]\nurllib3 = "*"\n';
    expect(await after(own, 'Pipfile', content)).toBe(
      content.replace('==1.26.4', '==1.26.17').replace('"*"', '">=1.26.17"'),
    );
  });

  it('names the lock files', async () => {
    const files = { 'pyproject.toml': '[project]\ndependencies = ["urllib3"]', 'uv.lock': '' };
    expect((await change(own, files)).staleLocks).toEqual([{ path: 'uv.lock', tool: 'uv', command: 'uv lock' }]);
  });

  it.each([
    ['not_declared', '[project]\ndependencies = ["requests"]'],
    ['not_declared', '[project]\ndependencies = ["urllib3 @ https://example.org/x.whl"]'],
    ['already_fixed', '[project]\ndependencies = ["urllib3>=2"]'],
    ['manifest_unreadable', '[project]\ndependencies = ["urllib3==1.26.4"'],
    ['manifest_unreadable', '[project]\na = 1\na = 2\ndependencies = ["urllib3==1.26.4"]'],
    [
      'manifest_unreadable',
      `a = ${'['.repeat(100_000)}${']'.repeat(100_000)}\n[project]\ndependencies = ["urllib3==1.26.4"]`,
    ],
  ])('is refused: %s', async (reason, content) => {
    expect(await plan(own, { 'pyproject.toml': content })).toMatchObject({ kind: 'none', reason });
  });
});

describe('a package of Python that another one brings along, by its lock file', () => {
  const own = of('pypi', 'urllib3', '1.26.4', '1.26.17', 'uv.lock');
  const held = '[[package]]\nname = "urllib3"\nversion = "1.26.4"\n';
  const project = '[project]\nname = "shop"\ndependencies = ["requests"]\n';
  const constraints = (lines: string) => `${project}[tool.uv]\nconstraint-dependencies = ${lines}`;
  const poetry = '[tool.poetry.dependencies]\npython = "^3.9"\nrequests = "^2.25" # http\n';
  const build = '\n[build-system]\nrequires = []\n';
  const windows = '[tool.uv] # of uv\r\npackage = false\r\n';
  const line = 'constraint-dependencies = ["urllib3>=1.26.17"]';

  it.each([
    ['uv, without a table of its own', 'uv.lock', project, `${project}\n[tool.uv]\n${line}\n`],
    ['uv, with other settings', 'uv.lock', `${windows}\r\n${project}`, `${windows}${line}\r\n\r\n${project}`],
    [
      'uv, with constraints in one line',
      'uv.lock',
      constraints("['idna>=3']"),
      constraints(`['idna>=3', "urllib3>=1.26.17"]`),
    ],
    [
      'uv, with a constraint a line',
      'uv.lock',
      constraints('[\n    "idna>=3" # later\n]\n'),
      constraints('[\n    "idna>=3", # later\n    "urllib3>=1.26.17",\n]\n'),
    ],
    [
      'uv, with a comma and a comment behind the last constraint',
      'uv.lock',
      constraints('[\n\t"idna>=3", # later\n]\n'),
      constraints('[\n\t"idna>=3", # later\n\t"urllib3>=1.26.17",\n]\n'),
    ],
    ['Poetry, in its table', 'poetry.lock', poetry + build, `${poetry}urllib3 = ">=1.26.17"\n${build}`],
    [
      'Poetry 2, in the list of the project',
      'poetry.lock',
      project,
      project.replace('"requests"]', '"requests", "urllib3>=1.26.17"]'),
    ],
  ])('is held at its fixed version in %s, and nothing else changes', async (_, lock, content, expected) => {
    const answer = await change(own, { 'pyproject.toml': content, [lock]: held });
    expect(answer.changes.map(({ path, after: text }) => [path, text])).toEqual([['pyproject.toml', expected]]);
    expect(answer.staleLocks.map(({ path }) => path)).toEqual([lock]);
    // asked for again, it is there
    const again = { 'pyproject.toml': expected, [lock]: held };
    expect(await plan(own, again)).toMatchObject({ kind: 'none', reason: 'already_fixed' });
  });

  it('is held in Pipfile', async () => {
    const content = '[packages]\nrequests = "*"\n\n[dev-packages]\n';
    const files = {
      'Pipfile.lock': '{\n  "default": {\n    "urllib3": {\n      "version": "==1.26.4"\n    }\n  }\n}\n',
    };
    expect(await after({ ...own, file: 'Pipfile.lock' }, 'Pipfile', content, files)).toBe(
      content.replace('"*"\n', '"*"\nurllib3 = ">=1.26.17"\n'),
    );
  });

  it.each([
    ['the lock file does not hold it', project, '[[package]]\nname = "urllib3-ext"\n', 'uv.lock'],
    ['there is no list to add it to', '[project]\nname = "shop"\n', held, 'poetry.lock'],
    ['its table is written otherwise', `${project}[tool]\nuv.package = false\n`, held, 'uv.lock'],
    ['a text looks like its table', `${project}x = """\n[tool.uv]\n"""\n`, held, 'uv.lock'],
  ])('is left to a person where %s', async (_, content, lock, name) => {
    const answer = await plan(own, { 'pyproject.toml': content, [name]: lock });
    expect(answer).toMatchObject({ kind: 'none', reason: 'not_declared', detail: expect.stringContaining('urllib3') });
  });
});

describe('Cargo.toml', () => {
  const own = of('cargo', 'time', '0.1.43', '0.2.23', 'Cargo.lock');

  it.each([
    ['[dependencies]\ntime = "0.1.43"\nserde = "1"\n', '0.1.43', '0.2.23'],
    ['[workspace.dependencies]\ntime = { version = "=0.1.43", features = ["std"] }\n', '=0.1.43', '=0.2.23'],
    ["[target.'cfg(unix)'.dev-dependencies]\ntime = '^0.1'\n", '^0.1', '^0.2.23'],
    ['[dependencies]\nclock = { package = "time", version = "0.1" }\n', '0.1', '0.2.23'],
  ])('%s', async (content, from, to) => {
    expect(await after(own, 'Cargo.toml', content, { 'Cargo.lock': '' })).toBe(content.replace(from, to));
  });

  it('says by which command a package is lifted that another one brings along', async () => {
    expect(
      await plan(own, { 'Cargo.toml': '[dependencies]\ntime = { package = "other", version = "0.1" }\n' }),
    ).toEqual({
      kind: 'none',
      reason: 'not_declared',
      detail: 'Cargo.toml does not name time. Run `cargo update --package time --precise 0.2.23`.',
    });
  });
});

describe('pom.xml', () => {
  const own = of('maven', 'org.example:core', '2.14.0', '2.15.0', 'pom.xml');
  const dependency = (version: string) =>
    `<dependency>\n      <groupId> org.example </groupId>\n      <artifactId>core</artifactId>${version}\n    </dependency>`;
  const pom = (dependencies: string, more = '') =>
    `<?xml version="1.0"?>\r\n<!-- <version>2.14.0</version> -->\r\n<project xmlns="http://maven.apache.org/POM/4.0.0">\n  <version>2.14.0</version>${more}\n  <dependencies>\n    ${dependencies}\n  </dependencies>\n</project>\n`;

  it('changes the version of the dependency alone', async () => {
    const version = '<!-- a > b --><version ><![CDATA[]]>2.14.0</version >'.replace('<![CDATA[]]>', '');
    expect(await after(own, 'pom.xml', pom(dependency(version)))).toBe(
      pom(dependency(version.replace('2.14.0', '2.15.0'))),
    );
  });

  it('changes the property that the version names, and says what moves along', async () => {
    const properties = '\n  <properties>\n    <core.version>2.14.0</core.version>\n  </properties>';
    const other = dependency(`<version>${property('core.version')}</version>`).replace('core<', 'databind<');
    const content = pom(dependency(`<version>${property('core.version')}</version>`) + other, properties);
    const answer = await change(own, { 'pom.xml': content });
    expect(answer.changes[0]?.after).toBe(content.replace('<core.version>2.14.0', '<core.version>2.15.0'));
    expect(answer.remaining).toEqual([expect.stringContaining('org.example:databind')]);
  });

  it('changes the version in dependencyManagement, not in an exclusion or a plugin', async () => {
    const more = `\n  <dependencyManagement><dependencies>${dependency('<version>2.14.0</version>')}</dependencies></dependencyManagement>
  <build><plugins><plugin><dependencies>${dependency('<version>2.13.0</version>')}</dependencies></plugin></plugins></build>`;
    const content = pom('', more);
    expect(await after(own, 'pom.xml', content)).toBe(
      content.replace('core</artifactId><version>2.14.0', 'core</artifactId><version>2.15.0'),
    );
  });

  it.each([
    [
      'in a list that stands',
      '\n  <dependencyManagement>\n    <dependencies>\n    </dependencies>\n  </dependencyManagement>',
      '',
    ],
    ['in a list of its own', '', ''],
    ['for a dependency whose version comes from a parent', '', dependency('')],
  ])('adds the version %s', async (_, more, dependencies) => {
    const content = pom(dependencies, more);
    const text = await after(own, 'pom.xml', content);
    const added =
      /<dependencyManagement>\s*<dependencies>\s*<dependency>\s*<groupId>org\.example<\/groupId>\s*<artifactId>core<\/artifactId>\s*<version>2\.15\.0<\/version>\s*<\/dependency>\s*<\/dependencies>\s*<\/dependencyManagement>/;
    expect(text).toMatch(added);
    expect(text.replaceAll(/\s/g, '').replace(/<dependencyManagement>.*<\/dependencyManagement>/, '')).toBe(
      content.replaceAll(/\s/g, '').replace(/<dependencyManagement>.*<\/dependencyManagement>/, ''),
    );
    expect(text).toContain(content.slice(content.lastIndexOf('  <dependencies>'), -12));
  });

  it.each([
    ['manifest_unreadable', '<!DOCTYPE project [<!ENTITY v "2.14.0">]><project><dependencies/></project>'],
    ['manifest_unreadable', '<project><dependencies></project>'],
    ['manifest_unreadable', '<html></html>'],
    ['manifest_unreadable', pom(dependency('<version>2.14<!-- x -->.0</version>'))],
    ['not_declared', pom(dependency(`<version>${property('revision')}</version>`))],
    ['incomparable_versions', pom(dependency(`<version>${property('a')}-${property('b')}</version>`))],
    ['already_fixed', pom(dependency('<version>2.15.0</version>'))],
  ])('is refused: %s', async (reason, content) => {
    expect(await plan(own, { 'pom.xml': content })).toMatchObject({ kind: 'none', reason });
  });

  it('reads a deep document without recursion', async () => {
    const content = pom(dependency('<version>2.14.0</version>'), '<a>'.repeat(50_000) + '</a>'.repeat(50_000));
    expect(await after(own, 'pom.xml', content)).toContain('core</artifactId><version>2.15.0');
  });
});

describe('go.mod', () => {
  const own = of('golang', 'golang.org/x/net', 'v0.5.0', '0.17.0', 'go.sum');

  it.each([
    ['module x\n\ngo 1.21\n\nrequire golang.org/x/net v0.5.0\n', 'v0.5.0', 'v0.17.0'],
    [
      '// Deprecated: x\nmodule x\r\nrequire (\r\n\tgolang.org/x/net/v2 v2.0.0\r\n\tgolang.org/x/net v0.5.0 // indirect\r\n)',
      'net v0.5.0',
      'net v0.17.0',
    ],
    [
      'module x\nrequire (\n\t"golang.org/x/net" v0.0.0-20220722155237-a158d28d115b\n)\nexclude golang.org/x/net v0.5.0\n',
      'v0.0.0-20220722155237-a158d28d115b',
      'v0.17.0',
    ],
  ])('%j', async (content, from, to) => {
    expect(await after(own, 'go.mod', content)).toBe(content.replace(from, to));
  });

  it('requires what another module brings along', async () => {
    const answer = await change(own, { 'go.mod': 'module x' });
    expect(answer.changes[0]?.after).toBe('module x\n\nrequire golang.org/x/net v0.17.0 // indirect\n');
    expect(answer.staleLocks).toEqual([{ path: 'go.sum', tool: 'go', command: 'go mod tidy' }]);
  });

  it.each([
    ['not_declared', 'module x\nrequire golang.org/x/net v0.5.0\nreplace (\n\tgolang.org/x/net => ../net\n)\n', own],
    ['already_fixed', 'module x\nrequire golang.org/x/net v0.18.0\n', own],
    ['manifest_unreadable', 'package main\n', own],
    ['needs_code_change', 'module x\nrequire a.b/c v1.0.0\n', of('golang', 'a.b/c', 'v1.0.0', 'v2.1.0', 'go.mod')],
    ['unsupported_ecosystem', 'module x\n', of('golang', 'stdlib', 'go1.20', '1.21.11', 'go.mod')],
  ])('is refused: %s', async (reason, content, asked) => {
    expect(await plan(asked, { 'go.mod': content })).toMatchObject({ kind: 'none', reason });
  });
});

describe('Gemfile and composer.json', () => {
  const rack = of('gem', 'rack', '2.2.3', '2.2.6.4', 'Gemfile.lock');
  const guzzle = of('composer', 'guzzlehttp/psr7', '1.6.0', '1.9.1', 'composer.lock');

  it.each([
    ["gem 'rack', '2.2.3', require: false # why", "gem 'rack', '2.2.6.4', require: false # why"],
    ['  gem "rack", "~> 2.2.0"', '  gem "rack", "~> 2.2.0", ">= 2.2.6.4"'],
    ["gem 'rack', '~> 2.2'", "gem 'rack', '~> 2.2', '>= 2.2.6.4'"],
    ["gem('rack')", "gem('rack', '>= 2.2.6.4')"],
    ["gem 'rack', '>= 2.0', '< 3'", "gem 'rack', '>= 2.2.6.4'"],
  ])('%s becomes %s', async (before, expected) => {
    const around = (line: string) => `# gem 'rack', '2.2.3'\r\ngem 'rack-test', '2.2.3'\r\n${line}`;
    expect(await after(rack, 'Gemfile', around(before))).toBe(around(expected));
  });

  it('adds a line for what another gem brings along', async () => {
    expect(await after(rack, 'Gemfile', "gem 'rails'", { 'Gemfile.lock': '' })).toBe(
      "gem 'rails'\ngem 'rack', '>= 2.2.6.4'\n",
    );
    expect(await plan(rack, { Gemfile: "gem 'rack', git: 'https://example.org/rack'" })).toMatchObject({
      reason: 'not_declared',
    });
  });

  it.each([
    ['^1.6', '^1.9.1'],
    ['~1.6.0', '^1.9.1'],
    ['1.6.0', '1.9.1'],
    ['1.6.*', '^1.9.1'],
  ])('composer.json: %s becomes %s', async (before, expected) => {
    const around = (constraint: string) =>
      `{\n    "require": {\n        "php": ">=8.1",\n        "GuzzleHttp/psr7": "${constraint}"\n    }\n}`;
    expect(await after(guzzle, 'composer.json', around(before))).toBe(around(expected));
  });

  it('makes a vulnerable package a conflict where another one brings it along', async () => {
    const content = '{\n    "require": {}\n}\n';
    expect(await after(guzzle, 'composer.json', content, { 'composer.lock': '{}' })).toBe(
      '{\n    "require": {},\n    "conflict": {\n        "guzzlehttp/psr7": "<1.9.1"\n    }\n}\n',
    );
  });
});

it.each(['x; rm -rf ~', "x'\ngem 'evil", 'a`b', '<x>', 'a b', ''])(
  'takes no name that a manifest or shell would read: %j',
  async (name) => {
    for (const ecosystem of ['npm', 'pypi', 'gem', 'maven', 'golang', 'cargo', 'composer']) {
      const own = finding('1', { ecosystem, name, version: '1.0.0', fixedVersion: '1.0.1' }, 'package.json');
      expect(await plan(own, { 'package.json': '{}', Gemfile: '', 'Gemfile.lock': '' })).toMatchObject({
        reason: 'not_declared',
      });
    }
  },
);
