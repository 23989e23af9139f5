import { describe, expect, test } from 'vitest';
import { parseBytes, parseText, sampleBytes } from '../../testing/samples.ts';
import { trivy } from './parser.ts';

function report(target: object, rest: object = {}): string {
  return JSON.stringify({
    SchemaVersion: 2,
    ArtifactName: 'app',
    ArtifactType: 'filesystem',
    ...rest,
    Results: [target],
  });
}
const vulnerability = {
  VulnerabilityID: 'CVE-2024-1111',
  PkgName: 'curl',
  InstalledVersion: '7.1',
  FixedVersion: '7.2',
  Severity: 'HIGH',
};
const image = { ArtifactName: 'registry:5000/app:1.0@sha256:abc', ArtifactType: 'container_image' };

async function only(text: string, family?: string) {
  const { findings } = await parseText(trivy, text, family);
  expect(findings).toHaveLength(1);
  return findings[0];
}

describe('trivy vulnerabilities', () => {
  test('libraries of a folder are SCA, packages of an image Container', async () => {
    const library = { Target: 'package-lock.json', Class: 'lang-pkgs', Type: 'npm', Vulnerabilities: [vulnerability] };
    expect(await only(report(library))).toMatchObject({ type: 'SCA', locations: [{ path: 'package-lock.json' }] });
    expect(await only(report(library, image))).toMatchObject({ type: 'Container', resource: 'registry:5000/app' });
    expect(await only(report({ ...library, Class: 'os-pkgs' }))).toMatchObject({ type: 'Container' });
  });

  test('the chosen catalogue entry decides for vulnerabilities and only for them', async () => {
    const target = { Target: 'go.mod', Class: 'lang-pkgs', Vulnerabilities: [vulnerability] };
    expect(await only(report(target), 'Container')).toMatchObject({ type: 'Container' });
    expect(await only(report(target, image), 'SCA')).toMatchObject({ type: 'SCA' });
    expect(await only(report(target), 'Secrets')).toMatchObject({ type: 'SCA' });
    const secret = { Target: 'a.env', Class: 'secret', Secrets: [{ RuleID: 'x', Severity: 'LOW' }] };
    expect(await only(report(secret), 'Container')).toMatchObject({ type: 'Secrets' });
  });

  test('the day of publication is no day on which anything was found', async () => {
    const dated = { ...vulnerability, PublishedDate: '2024-03-04T10:15:00Z', LastModifiedDate: '2025-01-01T00:00:00Z' };
    const finding = await only(report({ Target: 'go.mod', Vulnerabilities: [dated] }));
    expect([finding?.published, finding?.date]).toEqual(['2024-03-04T10:15:00.000Z', undefined]);
  });

  test('ratings: the vendor whose severity was chosen, version 3 before 4 before 2', async () => {
    const CVSS = {
      nvd: { V2Score: 5, V2Vector: 'AV:N/AC:L/Au:N/C:P/I:N/A:N', V3Score: 9.8, V3Vector: 'CVSS:3.1/AV:N/AC:L' },
      redhat: { V3Score: 7.1, V3Vector: 'CVSS:3.1/AV:L/AC:L' },
    };
    const rated = { ...vulnerability, SeveritySource: 'redhat', CVSS };
    const target = { Target: 'go.mod', Vulnerabilities: [rated] };
    expect(await only(report(target))).toMatchObject({ cvssScore: 7.1, cvssVector: 'CVSS:3.1/AV:L/AC:L' });
    const version4 = {
      ...vulnerability,
      CVSS: { ghsa: { V40Score: 6.3, V40Vector: 'CVSS:4.0/AV:N' }, nvd: { V2Score: 5 } },
    };
    expect(await only(report({ Target: 'x', Vulnerabilities: [version4] }))).toMatchObject({ cvssScore: 6.3 });
  });

  test('a record without id is listed as unreadable, the others are imported', async () => {
    const parsed = await parseBytes(trivy, sampleBytes('trivy/legacy_trivy_mix.json'));
    expect(parsed.findings).toHaveLength(6);
    expect(parsed.unreadable).toEqual([
      { kind: 'unreadable', where: 'Vulnerabilities[0]', why: expect.stringContaining('VulnerabilityID') },
    ]);
  });

  test('titles: the advisory, else its description, else the package', async () => {
    const title = async (change: object) =>
      (await only(report({ Target: 'x', Vulnerabilities: [{ ...vulnerability, ...change }] })))?.title;
    expect(await title({ Title: 'curl: a fault', Description: 'Long.' })).toBe('curl: a fault');
    expect(await title({ Description: 'A fault in curl lets attackers read memory. More.' })).toBe(
      'CVE-2024-1111: A fault in curl lets attackers read memory',
    );
    expect(await title({})).toBe('CVE-2024-1111 in curl');
  });

  test('suppressed by a VEX document: kept, as suppressed', async () => {
    const modified = {
      Type: 'vulnerability',
      Status: 'not_affected',
      Statement: 'code not present',
      Source: 'vex.json',
      Finding: vulnerability,
    };
    const finding = await only(report({ Target: 'go.mod', ExperimentalModifiedFindings: [modified] }));
    expect(finding?.suppressed).toEqual({ verdict: 'false_positive', reason: 'code not present\n\nvex.json' });
  });
});

describe('trivy checks, secrets and licences', () => {
  test('only failed checks are findings', async () => {
    const check = (Status: string | undefined) => ({
      ID: 'DS002',
      Title: 'Root user',
      Severity: 'HIGH',
      Status,
      Resolution: 'Add USER',
    });
    const target = { Target: 'Dockerfile', Class: 'config', Type: 'dockerfile' };
    const text = report({ ...target, Misconfigurations: [check('PASS'), check('FAIL'), check('EXCEPTION')] });
    expect(await only(text)).toMatchObject({
      ruleId: 'DS002',
      type: 'IaC',
      mitigation: 'Add USER',
    });
    expect(await only(report({ ...target, Misconfigurations: [check(undefined)] }))).toMatchObject({
      title: 'Root user',
    });
  });

  test('the lines that cause a failure are its code', async () => {
    const Code = {
      Lines: [
        { Content: 'before', IsCause: false },
        { Content: 'privileged: true', IsCause: true },
      ],
    };
    const check = {
      ID: 'KSV017',
      Severity: 'HIGH',
      Status: 'FAIL',
      CauseMetadata: { Resource: 'Deployment/x', StartLine: 9, EndLine: 9, Code },
    };
    const finding = await only(report({ Target: 'k8s.yaml', Class: 'config', Misconfigurations: [check] }));
    expect(finding).toMatchObject({
      resource: 'Deployment/x',
      locations: [{ path: 'k8s.yaml', startLine: 9, endLine: 9, snippet: 'privileged: true' }],
    });
  });

  test('a match that is not masked is masked here', async () => {
    const token = 'AKIAIOSFODNN7EXAMPLE12';
    const secret = { RuleID: 'aws', Severity: 'CRITICAL', Title: 'AWS key', StartLine: 2, Match: `key=${token}` };
    const finding = await only(report({ Target: '.env', Class: 'secret', Secrets: [secret] }));
    expect(JSON.stringify(finding)).not.toContain(token);
    expect(finding).toMatchObject({
      type: 'Secrets',
      severity: 'critical',
      cwe: [798],
      locations: [{ path: '.env', startLine: 2 }],
    });
  });

  test('licences', async () => {
    const license = {
      Severity: 'HIGH',
      Category: 'restricted',
      PkgName: 'readline',
      Name: 'GPL-3.0-only',
      Link: 'https://spdx.org/licenses/GPL-3.0-only',
    };
    expect(await only(report({ Target: 'OS Packages', Class: 'license', Licenses: [license] }))).toMatchObject({
      type: 'License',
      ruleId: 'GPL-3.0-only',
      title: 'Licence GPL-3.0-only of readline',
      component: { name: 'readline' },
      severity: 'high',
    });
  });

  test('a cluster: workloads in both layouts', async () => {
    const { findings, info } = await parseBytes(trivy, sampleBytes('trivy/kubernetes.json'));
    expect(findings[0]).toMatchObject({ type: 'Container', resource: 'default/Deployment/redis-follower' });
    expect(findings.filter((finding) => finding.type === 'Configuration')).toHaveLength(10);
    expect(info[0]?.target).toMatch(/^arn:aws:eks/);
    const current = await parseBytes(trivy, sampleBytes('trivy/issue_10991.json'));
    expect(current.findings.every((finding) => finding.type === 'Configuration')).toBe(true);
  });
});
