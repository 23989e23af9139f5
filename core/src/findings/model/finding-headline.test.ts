import { describe, expect, it } from 'vitest';
import { headlineOf, placeOf, readSame, splitPath } from './finding-headline.ts';
import { ruleWords } from './rule-words.ts';

const VULNERABILITY = { rule_id: 'x', cve: 'CVE-2023-44487', component: 'stdlib', cwe: [] };

describe('the headline of a row', () => {
  it.each([
    ['CVE-2023-44487: The HTTP/2 protocol allows a denial of service because of resets', [], 'denial of service'],
    ['CVE-2015-9235: jsonwebtoken Verification Bypass', [295], 'signature check bypass'],
    ['CVE-2022-25887: vulnerable to Regular Expression Denial of Service', [1333], 'slow regular expression'],
    ['CVE-2023-29402: The go command may generate unexpected code at build time', [], 'code execution'],
    ['CVE-2021-1: Something without a word for it', [79], 'cross-site scripting'],
    ['CVE-2021-1: Something without a word for it', [], undefined],
  ])('of "%s" (CWE %j) names the package and the kind %s', (title, cwe, kind) => {
    expect(headlineOf({ ...VULNERABILITY, title, cwe })).toEqual({
      subject: 'stdlib',
      kind,
      sentence: title.slice(title.indexOf(' ') + 1),
    });
  });

  it('of a vulnerability that only has an id does not repeat it', () => {
    expect(headlineOf({ ...VULNERABILITY, title: 'CVE-2023-44487' }).sentence).toBe('');
  });

  it('of anything else is its title', () => {
    const of = { title: 'Private key', rule_id: 'private-key', cve: null, component: null, cwe: [798] };
    expect(headlineOf(of)).toEqual({ subject: undefined, kind: undefined, sentence: 'Private key' });
  });
});

describe('names of rules', () => {
  it.each([
    ['javascript.express.security.injection.tainted-sql-string.tainted-sql-string', 'Tainted SQL string'],
    ['generic.secrets.security.detected-jwt-token.detected-jwt-token', 'JWT token'],
    ['javascript.lang.security.audit.detect-non-literal-regexp', 'Non-literal regular expression'],
    ['javascript.express.security.audit.express-ssrf.express-ssrf', 'Express SSRF'],
    ['a.b.---', 'a.b.---'],
  ])('%s reads %s', (rule, words) => expect(ruleWords(rule)).toBe(words));
});

describe('the second line of a row', () => {
  const located = {
    file_path: null,
    start_line: null,
    start_column: null,
    cve: null,
    component: null,
    component_version: null,
    resource: null,
  };

  it('has the id and the version of a vulnerability before its file', () => {
    const line = placeOf({
      ...located,
      cve: 'CVE-1',
      component: 'stdlib',
      component_version: '1.20',
      file_path: 'bin/app',
    });
    expect(line).toEqual({
      lead: 'CVE-1 · 1.20',
      path: { head: '', tail: 'bin/app' },
      position: '',
      resource: undefined,
    });
    const tight = { ...located, cve: 'CVE-1', component_version: '1.20', file_path: 'bin/app' };
    expect(placeOf(tight, { isTight: true }).lead).toBe('CVE-1');
    expect(placeOf({ ...tight, file_path: null }, { isTight: true }).lead).toBe('CVE-1 · 1.20');
    expect(placeOf({ ...located, component: 'lodash', component_version: '4' }).lead).toBe('lodash 4');
    expect(placeOf(located)).toEqual({ lead: '', path: undefined, position: '', resource: undefined });
  });

  it('keeps name and line, and the folders that tell two files of one name apart', () => {
    const tails = [
      '/frontend/node_modules/esbuild/bin/esbuild',
      '/frontend/node_modules/@esbuild/linux-x64/bin/esbuild',
    ].map((path) => splitPath(path).tail);
    expect(tails).toEqual(['esbuild/bin/esbuild', 'linux-x64/bin/esbuild']);
    expect(splitPath('/main.tf')).toEqual({ head: '', tail: '/main.tf' });
    const long = `src/${'a'.repeat(60)}.ts`;
    const { head, tail } = splitPath(long);
    expect(head).toBe('src/');
    expect(tail).toMatch(/^a+…a+\.ts$/);
    expect(tail.length).toBe(48);
    for (const path of ['', '/', 'a', '/a', 'a/', '//a//b']) {
      const split = splitPath(path);
      expect(split.head + split.tail).toBe(path);
    }
  });

  it('names the resource where there is no file, and beside a file only where it tells two rows apart', () => {
    const bucket = { ...located, title: 'Public bucket', start_line: 3, resource: 'arn:aws:s3:::harbour-logs' };
    expect(placeOf(bucket)).toMatchObject({
      path: { head: '', tail: bucket.resource },
      position: '',
      resource: undefined,
    });
    const inCode = { ...bucket, file_path: 'main.tf' };
    expect(placeOf(inCode)).toMatchObject({ path: { tail: 'main.tf' }, position: ':3', resource: undefined });
    expect(readSame(inCode, { ...inCode, resource: 'arn:aws:s3:::harbour-data' })).toBe(true);
    expect(placeOf(inCode, { hasTwin: true }).resource).toBe(bucket.resource);
  });

  it('tells two results of one line apart by their column', () => {
    const one = { ...located, title: 'x', file_path: 'a.ts', start_line: 24, start_column: 3 };
    expect([readSame(one, { ...one, start_column: 9 }), readSame(one, { ...one }), readSame(one, undefined)]).toEqual([
      true,
      false,
      false,
    ]);
    expect([placeOf(one).position, placeOf(one, { hasTwin: true }).position]).toEqual([':24', ':24:3']);
  });
});
