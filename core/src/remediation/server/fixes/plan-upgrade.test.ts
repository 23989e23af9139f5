import { describe, expect, it } from 'vitest';
import { after, change, finding, plan } from '../../../testing/planned-fix.ts';
import { filesForFix } from './plan-fix.ts';

const LODASH = finding('1', { name: 'lodash', version: '4.17.15', fixedVersion: '4.17.21' }, 'package-lock.json');

describe('the upgrade of a package', () => {
  it('says what it does, what it closes and what is left, and groups by package and version', async () => {
    const jwt = finding(
      '1',
      { name: 'express-jwt', version: '0.1.3', fixedVersion: '6.0.0' },
      'shop/package-lock.json',
    );
    const other = finding(
      '2',
      { name: 'express-jwt', version: '0.1.3', fixedVersion: '8.4.1' },
      'shop/package-lock.json',
    );
    const unfixed = finding('3', { name: 'express-jwt', version: '0.1.3' });
    const files = {
      'shop/package.json': '{\n  "dependencies": {\n    "express-jwt": "0.1.3"\n  }\n}\n',
      'shop/package-lock.json': '{}',
    };
    const answer = await change(jwt, files, other, unfixed, LODASH);
    expect(answer).toMatchObject({
      title: 'Upgrade express-jwt 0.1.3 → 8.4.1',
      group: { key: 'npm:express-jwt@8.4.1', label: 'Upgrade express-jwt to 8.4.1' },
      closes: ['1', '2'],
      isBreaking: true,
      staleLocks: [{ path: 'shop/package-lock.json', tool: 'npm' }],
    });
    expect(answer.changes).toEqual([
      {
        path: 'shop/package.json',
        before: files['shop/package.json'],
        after: files['shop/package.json'].replace('0.1.3', '8.4.1'),
      },
    ]);
    expect(answer.description).toContain('CVE-2024-2');
    expect(answer.description).toContain('npm install --package-lock-only');
  });

  it('asks for the manifests of the nearest folder first, and of the project around installed packages', () => {
    const paths = filesForFix(finding('1', { name: 'x', version: '1.0.0' }, 'web/node_modules/x/package.json'));
    expect(paths.slice(0, 2)).toEqual(['web/package.json', 'web/package-lock.json']);
    expect(paths).toContain('package.json');
    expect(paths.some((path) => path.includes('node_modules'))).toBe(false);
  });

  it.each([
    ['no_fixed_version', finding('1', { name: 'notevil', version: '1.3.3' }), {}],
    ['manifest_not_found', LODASH, {}],
    ['not_declared', LODASH, { 'package.json': '{"dependencies":{}}' }],
    ['not_declared', LODASH, { 'package.json': '{"dependencies":{"lodash":"github:lodash/lodash#4.17.15"}}' }],
    ['already_fixed', LODASH, { 'package.json': '{"dependencies":{"lodash":"^4.17.21"}}' }],
    ['manifest_unreadable', LODASH, { 'package.json': '{"dependencies":{"lodash":"^4.17.15"' }],
    ['manifest_unreadable', LODASH, { 'package.json': '[]' }],
    [
      'manifest_unreadable',
      LODASH,
      {
        'package.json': `{"x":${'[{"a":'.repeat(100_000)}1${'}]'.repeat(100_000)},"dependencies":{"lodash":"4.17.15"}}`,
      },
    ],
    [
      'manifest_unreadable',
      LODASH,
      { 'package.json': '{"dependencies":{"lodash":"1.0.0"},"dependencies":{"lodash":"4.17.15"}}' },
    ],
    ['manifest_unreadable', LODASH, { 'package.json': ' '.repeat(5_000_001) }],
    ['unsupported_ecosystem', finding('1', { name: 'openssl', version: '1', fixedVersion: '2', ecosystem: 'deb' }), {}],
    [
      'in_built_artefact',
      finding('1', { name: 'esbuild', version: '1.0.0', fixedVersion: '2.0.0' }, 'dist/bin/esbuild'),
      {},
    ],
  ] as const)('is refused: %s', async (reason, own, files) => {
    const answer = await plan(own, files);
    expect(answer).toMatchObject({ kind: 'none', reason });
    expect(answer.kind === 'none' && answer.detail.length).toBeGreaterThan(10);
  });
});

describe('a component inside of a built file', () => {
  const BINARY = 'web/node_modules/@esbuild/linux-x64/bin/esbuild';
  const stdlib = (id: string, fixedVersion: string, file = BINARY) =>
    finding(id, { name: 'stdlib', version: 'go1.20', fixedVersion, ecosystem: 'go-module' }, file);

  it('is a checklist about the package that carries it, with the version that clears all of the file', async () => {
    const answer = await plan(stdlib('1', '1.20.1'), {}, stdlib('2', '1.20.5'), stdlib('3', '1.20.9', 'bin/other'));
    expect(answer).toMatchObject({
      kind: 'issue',
      title: 'Upgrade @esbuild/linux-x64, which carries stdlib go1.20',
      group: { key: 'carrier.npm:@esbuild/linux-x64' },
      closes: ['1', '2'],
    });
    expect(answer.kind === 'issue' && answer.description).toContain('holds `stdlib` in `1.20.5` or later');
  });

  it('is upgraded as any other where the file is its own', async () => {
    const own = finding(
      '1',
      { name: 'esbuild', version: '0.14.0', fixedVersion: '0.25.0' },
      'node_modules/esbuild/bin/esbuild',
    );
    const { changes } = await change(own, { 'package.json': '{"dependencies":{"esbuild":"0.14.0"}}' });
    expect(changes[0]?.after).toBe('{"dependencies":{"esbuild":"0.25.0"}}');
  });
});

describe('package.json', () => {
  const around = (requirement: string) => `{"dependencies":{"lodash":${JSON.stringify(requirement)}}}`;

  it.each([
    ['4.17.15', '4.17.21'],
    ['^4.17.15', '^4.17.21'],
    ['~4.17.4', '~4.17.21'],
    ['v4.17.4', 'v4.17.21'],
    ['>=4.0.0', '>=4.17.21'],
    ['>=4.0.0 <5', '>=4.17.21 <5'],
    ['>=3.0.0 <4.17.20', '^4.17.21'],
    ['4.x', '^4.17.21'],
    ['*', '^4.17.21'],
    ['', '^4.17.21'],
    ['latest', '^4.17.21'],
    ['npm:lodash@^4.17.4', 'npm:lodash@^4.17.21'],
    ['npm:@scope/lodash@4.17.4', 'npm:@scope/lodash@4.17.21'],
  ])('%j becomes %j', async (before, expected) => {
    expect(await after(LODASH, 'package.json', around(before))).toBe(around(expected));
  });

  it.each([
    ['CRLF and tabs', '{\r\n\t"name" : "x",\r\n\t"dependencies":\t{ "lodash"  :  "4.17.15" ,\r\n "b":"1" }\r\n}\r\n'],
    ['a byte order mark and no newline at the end', '\uFEFF{"dependencies":{"lodash":"4.17.15"}}'],
    [
      'names of objects',
      '{"__proto__":{"lodash":"1"},"constructor":{"a":"4.17.15"},"devDependencies":{"__proto__":"1","lodash":"4.17.15"}}',
    ],
    ['escapes', '{"a\\"b{":"}\\\\","dependencies":{"lod\\u0061sh":"4.17.15"},"c":["{\\"lodash\\":\\"1\\"}"]}'],
    ['depth', `{"x":${'['.repeat(200)}${']'.repeat(200)},"dependencies":{"lodash":"4.17.15"}}`],
    ['numbers that JavaScript would round', '{"n":12345678901234567890.10,"dependencies":{"lodash":"4.17.15"}}'],
  ])('keeps every other byte: %s', async (_, content) => {
    expect(await after(LODASH, 'package.json', content)).toBe(
      content
        .replace('"4.17.15"', '"4.17.21"')
        .replace('{"a":"4.17.21"}', '{"a":"4.17.15"}')
        .replace('lodash":"4.17.15"}}', 'lodash":"4.17.21"}}'),
    );
  });

  it('changes each section that names the package, and not what its users are asked for', async () => {
    const content =
      '{"dependencies":{"lodash":"4.17.15"},"devDependencies":{"lodash":"^4.0.0"},"peerDependencies":{"lodash":"^4.0.0"}}';
    expect(await after(LODASH, 'package.json', content)).toBe(
      '{"dependencies":{"lodash":"4.17.21"},"devDependencies":{"lodash":"^4.17.21"},"peerDependencies":{"lodash":"^4.0.0"}}',
    );
  });

  it.each([
    ['npm', { 'package-lock.json': '{}' }, '  "overrides": {\n    "lodash@>=4.0.0 <4.17.21": "^4.17.21"\n  }'],
    [
      'pnpm',
      { 'pnpm-lock.yaml': '' },
      '  "pnpm": {\n    "overrides": {\n      "lodash@>=4.0.0 <4.17.21": "^4.17.21"\n    }\n  }',
    ],
    [
      'yarn',
      { 'yarn.lock': '"lodash@^4.0.0", lodash@^4.1.0:\n  version "4.17.15"\n' },
      '  "resolutions": {\n    "lodash": "^4.17.21"\n  }',
    ],
  ])('overrides what another package brings along: %s', async (_, lock, override) => {
    const content = '{\n  "name": "shop",\n  "dependencies": { "other": "1.0.0" }\n}\n';
    const files: Record<string, string> = {};
    for (const [name, text] of Object.entries(lock)) files[name] = text;
    expect(await after(LODASH, 'package.json', content, files)).toBe(
      `{\n  "name": "shop",\n  "dependencies": { "other": "1.0.0" },\n${override}\n}\n`,
    );
  });

  it('overrides a copy that another package brings along, though the project names a newer one', async () => {
    const content = '{\n\t"dependencies": {\n\t\t"lodash": "^5.0.0"\n\t},\n\t"overrides": {\n\t\t"a": "1"\n\t}\n}';
    expect(await after(LODASH, 'package.json', content, { 'package-lock.json': '{}' })).toBe(
      content.replace('"a": "1"', '"a": "1",\n\t\t"lodash@>=4.0.0 <4.17.21": "^4.17.21"'),
    );
  });

  it('does not resolve several versions of yarn to one', async () => {
    const lock = 'lodash@^3.0.0:\n  version "3.1.0"\n\nlodash@^4.0.0:\n  version "4.17.15"\n';
    expect(await plan(LODASH, { 'package.json': '{}', 'yarn.lock': lock })).toMatchObject({
      reason: 'place_not_found',
    });
  });

  it('takes a package with a hostile name as a name', async () => {
    const own = finding('1', { name: '__proto__', version: '1.0.0', fixedVersion: '1.0.1' });
    expect(await after(own, 'package.json', '{"dependencies":{"__proto__":"1.0.0"}}')).toBe(
      '{"dependencies":{"__proto__":"1.0.1"}}',
    );
    expect(({} as Record<string, unknown>)['1.0.1']).toBeUndefined();
  });
});

describe('requirements.txt', () => {
  const own = finding(
    '1',
    { name: 'Flask_Login', version: '0.4.0', fixedVersion: '0.6.3', ecosystem: 'pypi' },
    'requirements.txt',
  );

  it.each([
    ['flask-login==0.4.0', 'flask-login==0.6.3'],
    ['flask.login === 0.4.0', 'flask.login === 0.6.3'],
    ['FLASK_login[extra,b] >= 0.4 , < 1  # why', 'FLASK_login[extra,b] >=0.6.3 , < 1  # why'],
    ['flask-login ; python_version < "3.8"', 'flask-login >=0.6.3; python_version < "3.8"'],
    ['flask-login<0.5', 'flask-login>=0.6.3'],
    ['flask-login<1,!=0.5', 'flask-login>=0.6.3,<1,!=0.5'],
    ['flask-login~=0.4.0', 'flask-login>=0.6.3'],
    ['flask-login~=0.4', 'flask-login~=0.4,>=0.6.3'],
    ['flask-login (==0.4.0)', 'flask-login (==0.6.3)'],
    ['flask-login==0.4.*', 'flask-login==0.6.3'],
    ['flask-login', 'flask-login>=0.6.3'],
  ])('%s becomes %s', async (before, expected) => {
    const around = (line: string) =>
      `\uFEFF# flask-login==0.4.0\r\n-r base.txt\r\nflask-login-extra==0.4.0\r\n${line}\r\nother==0.4.0`;
    expect(await after(own, 'requirements.txt', around(before))).toBe(around(expected));
  });

  it('takes out the hashes of the old version, which would refuse the new one', async () => {
    const content =
      'a==1 \\\n    --hash=sha256:aa\nflask-login==0.4.0 ; python_version > "3" \\\n    --hash=sha256:bb \\\n    --hash=sha256:cc\nb==1\n';
    const answer = await change(own, { 'requirements.txt': content });
    expect(answer.changes[0]?.after).toBe(
      'a==1 \\\n    --hash=sha256:aa\nflask-login==0.6.3 ; python_version > "3"\nb==1\n',
    );
    expect(answer.remaining).toEqual([expect.stringContaining('Compile requirements.txt again')]);
  });

  it('adds a line for what another package brings along', async () => {
    const text = await after(own, 'requirements.txt', 'other==1');
    expect(text).toMatch(/^other==1\nFlask_Login>=0\.6\.3 {2}# /);
  });

  it.each([
    ['not_declared', 'flask-login @ https://example.org/flask-login.whl'],
    ['already_fixed', 'flask-login>=0.7'],
    ['already_fixed', 'flask-login==0.6.3'],
    ['manifest_unreadable', 'flask-login \\\n  ==0.4.0'],
    ['not_declared', 'other==1 --hash=sha256:aa'],
  ])('is refused: %s, %s', async (reason, content) => {
    expect(await plan(own, { 'requirements.txt': content })).toMatchObject({ kind: 'none', reason });
  });
});
