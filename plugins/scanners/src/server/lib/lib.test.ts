import { describe, expect, test } from 'vitest';
import { cweNumbers, identifiers, webAddresses } from './findings/identifiers.ts';
import { imageName, normalisePath, packageName } from './findings/packages.ts';
import { maskSecret, secretDigest } from './findings/secrets.ts';
import { chooseCvss, cvss, severityFromScore } from './findings/severity.ts';
import { firstSentence, isoDate, oneLine } from './findings/text.ts';
import { linesOf } from './input/decode.ts';
import { LIMITS } from './limits.ts';
import { clean, position } from './values/read.ts';

describe('words of a finding', () => {
  test.each([
    ['.\\src\\a.ts', 'src/a.ts'],
    ['././a', 'a'],
    ['./', '.'],
    ['C:\\x\\y', 'C:/x/y'],
    ['../up', '../up'],
    ['', undefined],
    [5, undefined],
  ])('path %s', (path, expected) => expect(normalisePath(path)).toBe(expected));

  test.each([
    ['app:1.2', 'app'],
    ['registry:5000/team/app', 'registry:5000/team/app'],
    ['registry:5000/app:1@sha256:0f', 'registry:5000/app'],
    ['ghcr.io/a/b@sha256:0f', 'ghcr.io/a/b'],
    ['sha256:0f', undefined],
    [undefined, undefined],
  ])('image %s', (image, expected) => expect(imageName(image)).toBe(expected));

  test.each([
    ['2024-05-01T10:00:00Z', '2024-05-01T10:00:00.000Z'],
    ['2024-05-01T10:00:00.123456789+02:00', '2024-05-01T08:00:00.123Z'],
    ['2016-11-05T14:52:15.748-0400', '2016-11-05T18:52:15.748Z'],
    ['2024-05-01', '2024-05-01T00:00:00.000Z'],
    ['10-11-2003', undefined],
    ['0001-01-01T00:00:00Z', undefined],
    ['1970-01-01T00:00:00Z', undefined],
    ['2024-13-45', undefined],
    ['redacted', undefined],
    [17, undefined],
  ])('date %s', (date, expected) => expect(isoDate(date)).toBe(expected));

  test.each([
    [
      ['CWE-79: XSS', 'external/cwe/cwe-089'],
      [79, 89],
    ],
    ['CWE-00 Bad', undefined],
    ['NVD-CWE-noinfo', undefined],
    [
      [611, '20', 611],
      [611, 20],
    ],
    [{ cwe: 1 }, undefined],
  ])('weaknesses of %j', (value, expected) => expect(cweNumbers(value)).toEqual(expected));

  test('identifiers once, the CVE in capitals', () => {
    expect(identifiers('GHSA-a', 'cve-2024-12345', 'GHSA-a', undefined)).toEqual({
      cve: 'CVE-2024-12345',
      aliases: ['GHSA-a', 'CVE-2024-12345'],
    });
    expect(identifiers('CVE-hello')).toEqual({ aliases: ['CVE-hello'] });
  });

  test('links: http and https only, each once', () => {
    const bad = [
      'javascript:alert(1)',
      'data:text/html,x',
      'ftp://x',
      'http://',
      'https://a b',
      'https://a\0b',
      'https://x"onload',
      '//x',
      7,
    ];
    expect(webAddresses('https://a.example/', bad, ['https://a.example/'])).toEqual(['https://a.example/']);
    expect(webAddresses(bad)).toBeUndefined();
  });

  test.each([
    [9, 'critical'],
    [8.9, 'high'],
    [4, 'medium'],
    [0.1, 'low'],
    [0, 'informational'],
    [11, undefined],
  ])('score %d is %s', (score, severity) => expect(severityFromScore(score)).toBe(severity));

  test('ratings: version 3 before 4 before 2, more complete first', () => {
    const two = cvss('2.0', 5, 'AV:N/AC:L/Au:N/C:P/I:N/A:N');
    const three = cvss('CVSSv31', 7.5, 'AV:N/AC:L');
    const four = cvss('4.0', 6.3, 'CVSS:4.0/AV:N');
    expect(chooseCvss([two, four, three])).toEqual({ cvssScore: 7.5, cvssVector: 'CVSS:3.1/AV:N/AC:L' });
    expect(chooseCvss([two, four])).toEqual({ cvssScore: 6.3, cvssVector: 'CVSS:4.0/AV:N' });
    expect(chooseCvss([cvss('3', undefined, 'AV:N'), cvss('3', 4, undefined)])).toEqual({ cvssScore: 4 });
    expect(chooseCvss([undefined, cvss('other', 9, undefined)])).toEqual({});
  });

  test('package names as people of the ecosystem write them', () => {
    expect(packageName('pkg:maven/org.a/b@1')).toEqual({ name: 'org.a:b', version: '1' });
    expect(packageName('pkg:npm/%40s/n@%5E2')).toEqual({ name: '@s/n', version: '^2' });
    expect(packageName('pkg:nonsense')).toBeUndefined();
  });

  test('text that can be stored', () => {
    expect(clean('a\0b\ud800')).toBe('ab\ufffd');
    expect(clean('x'.repeat(20), 10)).toHaveLength(10);
    expect([position(0), position(-1), position('12'), position(1.5), position(2 ** 40)]).toEqual([
      undefined,
      undefined,
      12,
      undefined,
      undefined,
    ]);
  });

  test('titles', () => {
    expect(oneLine('a\n b\t c')).toBe('a b c');
    expect(oneLine(`${'word '.repeat(30)}`, 22)).toBe('word word word word…');
    expect(firstSentence('### Impact\n\nA server, e.g. nginx, can be stopped. More follows.')).toBe(
      'A server, e.g. nginx, can be stopped',
    );
    expect(firstSentence('Versions up to 1.2.3 are affected by a fault.')).toBe(
      'Versions up to 1.2.3 are affected by a fault',
    );
    expect(firstSentence('  \n')).toBeUndefined();
  });

  test('secrets are known again by digest and shown masked', () => {
    expect(secretDigest('a')).toMatch(/^[0-9a-f]{64}$/);
    expect([secretDigest('REDACTED'), secretDigest('***'), secretDigest(' ')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(maskSecret('x=abc;abc', 'abc')).toBe('x=********;********');
    expect(maskSecret('x=a\\u0062c', 'abc')).toBeUndefined();
  });

  test('lines of a text, the last one with or without its end', () => {
    const read = (text: string) => [...linesOf(Buffer.from(text), new AbortController().signal)];
    expect(read('a\r\n\nb  ')).toEqual([
      { number: 1, text: 'a' },
      { number: 2, text: '' },
      { number: 3, text: 'b' },
    ]);
    expect(read('a\n')).toHaveLength(1);
    expect(read(`${'x'.repeat(200_000)}\nb`).map(({ text }) => text.length)).toEqual([LIMITS.textChars, 1]);
  });
});
