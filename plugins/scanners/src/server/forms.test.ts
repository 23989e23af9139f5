import { ReportError } from '@breakwater/sdk';
import { describe, expect, test } from 'vitest';
import { parsers } from './index.ts';
import { toUtf8 } from './lib/input/decode.ts';
import { parseBytes, parseText, sampleBytes } from './testing/samples.ts';

/** The same report in other encodings, wrappings and pieces gives the same findings. */

const REPORTS: [tool: string, file: string][] = [
  ['opengrep', 'opengrep/semgrep_version_1_30_0_line_26.json'],
  ['grype', 'grype/am_grype-report.json'],
  ['trivy', 'trivy/misconfigurations_and_secrets.json'],
  ['trivy', 'trivy/kubernetes_fabricated_subset.json'],
  ['gitleaks', 'gitleaks/scb_test-report.json'],
  ['sarif', 'sarif/njsscan.sarif'],
  ['checkov', 'checkov/hd_checkov_synthetic.json'],
  ['kics', 'kics/many_findings.json'],
  ['bandit', 'bandit/one_vuln.json'],
  ['nuclei', 'nuclei/multi_cwe_fabricated.json'],
  ['prowler', 'prowler/aws_prowler__issue4450.csv'],
  ['prowler', 'prowler/aws_prowler__many_vuln.json'],
  ['prowler', 'prowler/aws_prowler_v3plus__one_vuln.ocsf.json'],
  ['trufflehog', 'trufflehog/hd_trufflehog-report-example.json'],
  ['hadolint', 'hadolint/am_hadolint.json'],
  ['tflint', 'tflint/am_tflint.json'],
  ['terrascan', 'terrascan/e2e_kubernetes_ingress_json.json'],
  ['devskim', 'devskim/devskim_many_vuln.sarif'],
  ['cloudsploit', 'cloudsploit/cloudsploit_many_vul.json'],
  ['chainbench', 'chainbench/readme_example.json'],
  ['clamav', 'clamav/clamav_many_vuln.txt'],
  ['dustilock', 'dustilock/many.txt'],
  ['cyclonedx', 'cyclonedx/issue_8022.json'],
  ['cyclonedx', 'cyclonedx/spec1.xml'],
  ['gitlab', 'gitlab/gitlab_sast__gl-sast-report-confidence_v15.json'],
  ['github', 'github/github_secrets_detection_report__github_secrets_detection_report_many_vul.json'],
  ['dependabot', 'dependabot/github-5-vuln.json'],
  ['spdx', 'spdx/spdx_many_vuln.json'],
  ['checkmarx', 'checkmarx/checkmarx_one__checkmarx_one_sca_10770.json'],
  ['checkmarx', 'checkmarx/checkmarx__single_finding.xml'],
  ['fortify', 'fortify/fortify_few_findings.xml'],
  ['owasp-dependency-check', 'owasp-dependency-check/single_vuln.xml'],
];

/** One value: neither XML, nor a table, nor text, nor JSON lines. */
function isJson(file: string): boolean {
  return /\.(?:json|sarif)$/.test(file) && file !== 'prowler/aws_prowler__many_vuln.json';
}

function parserOf(tool: string) {
  const parser = parsers.find((known) => known.tool === tool);
  if (parser === undefined) throw new Error(tool);
  return parser;
}

describe.each(REPORTS)('%s: %s', (tool, file) => {
  const parser = parserOf(tool);
  const bytes = toUtf8(sampleBytes(file));
  const text = bytes.toString('utf8');
  const utf16 = Buffer.from(text.replace('encoding="UTF-8"', 'encoding="UTF-16"'), 'utf16le');

  test('in pieces of any size', async () => {
    const whole = await parseBytes(parser, bytes);
    expect(whole.findings.length).toBeGreaterThan(0);
    for (const size of [1, 7, 1_000]) expect(await parseBytes(parser, bytes, undefined, size)).toEqual(whole);
  });

  test('in UTF-8 and UTF-16, with and without byte-order mark', async () => {
    const whole = await parseBytes(parser, bytes);
    const big = Buffer.from(utf16).swap16();
    const forms = [
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
      Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]),
      Buffer.concat([Buffer.from([0xfe, 0xff]), big]),
      utf16,
      big,
    ];
    for (const form of forms) {
      expect(await parseBytes(parser, form)).toEqual(whole);
      expect(parser.recognise(form)).toBeGreaterThanOrEqual(0.8);
    }
  });
});

describe.each(REPORTS.filter(([, file]) => isJson(file)))('%s: %s', (tool, file) => {
  const parser = parserOf(tool);
  const bytes = toUtf8(sampleBytes(file));
  const text = bytes.toString('utf8');

  test('as an array of reports, as JSON lines and one after the other', async () => {
    const { findings } = await parseBytes(parser, bytes);
    const compact = JSON.stringify(JSON.parse(text));
    const twice = [...findings, ...findings];
    const isList = compact.startsWith('[');
    if (!isList) expect((await parseText(parser, `[${compact}, ${text}]`)).findings).toEqual(twice);
    expect((await parseText(parser, `${compact}\n${compact}\n`)).findings).toEqual(twice);
    expect((await parseText(parser, `${text}\n\n${text}`)).findings).toEqual(twice);
  });

  test('with something after its end: refused', async () => {
    for (const rest of ['}', 'x', ',', '{"a":', '<html>', '"text"', ' 5']) {
      await expect(parseText(parser, text + rest)).rejects.toThrow(/not valid JSON/);
    }
  });
});

describe('records on their own', () => {
  test.each([
    ['opengrep', 'opengrep/semgrep_version_1_30_0_line_26.json', 'results'],
    ['grype', 'grype/am_grype-report.json', 'matches'],
  ])('%s: an array of %s, or lines of them', async (tool, file, list) => {
    const parser = parserOf(tool);
    const report = JSON.parse(sampleBytes(file).toString());
    const { findings } = await parseBytes(parser, sampleBytes(file));
    const records: unknown[] = report[list];
    expect((await parseText(parser, JSON.stringify(records))).findings).toHaveLength(findings.length);
    const lines = records.map((record) => JSON.stringify(record));
    expect((await parseText(parser, lines.join('\n'))).findings).toHaveLength(findings.length);
  });

  test('one broken line is listed and the other lines are imported', async () => {
    const records: unknown[] = JSON.parse(sampleBytes('gitleaks/scb_test-report.json').toString());
    const lines = records.map((record) => JSON.stringify(record));
    lines.splice(1, 0, '{"RuleID": "broken');
    const parsed = await parseText(parserOf('gitleaks'), lines.join('\n'));
    expect(parsed.findings).toHaveLength(records.length);
    expect(parsed.unreadable).toEqual([
      { kind: 'unreadable', where: 'line 2', why: expect.stringContaining('cut off') },
    ]);
  });

  test('one unreadable record of a whole report is listed and the rest is imported', async () => {
    const report =
      '{"results":[{"check_id":"a","path":"x.py"},{"check_id":7},{"check_id":"b","path":01},{"check_id":"c","path":"y.py"}]}';
    const parsed = await parseText(parserOf('opengrep'), report);
    expect(parsed.findings.map((finding) => finding.ruleId)).toEqual(['a', 'c']);
    expect(parsed.unreadable).toEqual([
      { kind: 'unreadable', where: 'results[1]', why: expect.stringMatching(/path|check_id/) },
      { kind: 'unreadable', where: 'results[2]', why: 'is not valid JSON' },
    ]);
  });

  test('a report in which no record is readable is refused', async () => {
    await expect(parseText(parserOf('opengrep'), '{"results":[{"id":1},{"id":2}]}')).rejects.toMatchObject({
      code: 'report_wrong_tool',
      message: expect.stringContaining('results[0]'),
    });
  });
});

describe('nothing found', () => {
  test.each([
    ['opengrep', '{"results":[]}'],
    ['grype', '{"matches":[]}'],
    ['grype', '{"matches":null,"descriptor":{}}'],
    ['trivy', '{"SchemaVersion":2,"Results":null}'],
    ['trivy', '{"SchemaVersion":2,"ArtifactName":"x"}'],
    ['trivy', 'null'],
    ['trivy', '[]'],
    ['gitleaks', '[]'],
    ['gitleaks', ' null\n'],
    ['sarif', '{"version":"2.1.0","runs":[]}'],
    ['sarif', '{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"x"}},"results":null}]}'],
    ['cyclonedx', '{"bomFormat":"CycloneDX","specVersion":"1.6"}'],
    ['spdx', '{"spdxVersion":"SPDX-2.3","SPDXID":"SPDXRef-DOCUMENT","packages":[]}'],
    ['syft', '{"artifacts":[],"source":{},"schema":{}}'],
    ['gitlab', '{"version":"15.0.7","vulnerabilities":[],"scan":{"type":"sast"}}'],
    ['github', '[]'],
    ['dependabot', '[]'],
    ['dependabot', '{"data":{"repository":{"vulnerabilityAlerts":{"nodes":[]}}}}'],
    ['checkmarx', '{"results":null,"totalCount":0,"scanID":"x"}'],
    ['checkmarx', '<CxXMLResults/>'],
    ['fortify', '<FVDL xmlns="xmlns://www.fortifysoftware.com/schema/fvdl"/>'],
    ['black_duck', 'Component id,Vulnerability id,Remediation status\n'],
    ['owasp-dependency-check', '{"reportSchema":"1.1","scanInfo":{},"dependencies":[]}'],
  ])('%s: %s', async (tool, text) => {
    const parsed = await parseText(parserOf(tool), text);
    expect([...parsed.findings, ...parsed.components, ...parsed.unreadable]).toEqual([]);
  });

  test.each([
    ['opengrep', '{"results":null,"errors":[]}'],
    ['bandit', '{"results":null,"generated_at":"2024-05-01T10:00:00Z"}'],
    ['checkov', '{"results":{"failed_checks":null}}'],
    ['gitlab', '{"version":"15.0.7","vulnerabilities":null,"scan":{"type":"sast"}}'],
    ['prowler', '{"Findings":null}'],
    ['owasp-dependency-check', '{"reportSchema":"1.1","scanInfo":{},"dependencies":null}'],
  ])('%s: a list that the tool never writes as null is no empty one: %s', async (tool, text) => {
    await expect(parseText(parserOf(tool), text)).rejects.toMatchObject({ code: 'report_wrong_tool' });
  });

  /** What each tool writes when it found nothing, beside a whole report. Source: the writers that the parsers name. */
  const EMPTY_FORMS = new Map<string, readonly string[]>([
    ['trivy', ['[]', 'null']],
    ['gitleaks', ['[]', 'null']],
    ...['tflint', 'checkov', 'prowler', 'hadolint', 'devskim', 'cloudsploit', 'nuclei', 'trufflehog'].map(
      (tool): [string, readonly string[]] => [tool, ['[]']],
    ),
    // ESLint of no file, pip-audit before 2.2 of no package, the others of no result
    ...['eslint', 'shellcheck', 'pip-audit', 'codeclimate', 'retirejs', 'noseyparker'].map(
      (tool): [string, readonly string[]] => [tool, ['[]']],
    ),
    ...['gitlab', 'github', 'dependabot'].map((tool): [string, readonly string[]] => [tool, ['[]']]),
  ]);

  test.each(parsers.map((parser) => [parser.tool, parser] as const))(
    '%s: “[]” and “null” are a result only of a tool that writes them',
    async (tool, parser) => {
      for (const form of ['[]', 'null', ' [ ]\n', '\n null ']) {
        const reading = parseText(parser, form);
        if (EMPTY_FORMS.get(tool)?.includes(form.replaceAll(/\s/g, '')) === true) {
          const { findings, components, unreadable } = await reading;
          expect([...findings, ...components, ...unreadable]).toEqual([]);
        } else await expect(reading, form).rejects.toBeInstanceOf(ReportError);
      }
    },
  );

  test.each(parsers.map((parser) => [parser.tool, parser] as const))(
    '%s: an empty file is refused, unless the tool writes nothing where it finds nothing',
    async (_tool, parser) => {
      for (const text of ['', ' \n\t', '\ufeff']) {
        const reading = parseText(parser, text);
        if (parser.emptyMeansNone === true) expect((await reading).findings).toEqual([]);
        else await expect(reading).rejects.toMatchObject({ code: 'report_empty' });
      }
    },
  );
});

describe('refusals say what is wrong', () => {
  test('a page of a proxy', async () => {
    const page = '<!DOCTYPE html><html><body>502 Bad Gateway</body></html>';
    await expect(parseText(parserOf('opengrep'), page)).rejects.toThrow(/web page/);
    await expect(parseText(parserOf('cyclonedx'), page)).rejects.toThrow(/document type|<html>/);
  });

  test('a cut-off file, with the place', async () => {
    await expect(parseText(parserOf('trivy'), '{\n  "SchemaVersion": 2,\n  "Results": [')).rejects.toMatchObject({
      code: 'report_malformed',
      message: expect.stringMatching(/not valid JSON: .*cut off \(line 3, column 15\)/),
    });
  });

  test("another tool's report, by name", async () => {
    const bandit = sampleBytes('_malformed/wrong_tool_bandit.json');
    for (const tool of ['opengrep', 'grype', 'trivy', 'gitleaks', 'sarif', 'cyclonedx', 'owasp-dependency-check']) {
      await expect(parseBytes(parserOf(tool), bandit), tool).rejects.toMatchObject({
        code: 'report_wrong_tool',
        message: expect.stringContaining('Bandit'),
      });
    }
  });

  test('entities are refused, not resolved', async () => {
    const bombs = {
      cyclonedx: '<bom xmlns="http://cyclonedx.org/schema/bom/1.4">&b;</bom>',
      'owasp-dependency-check':
        '<analysis xmlns="https://jeremylong.github.io/DependencyCheck/dependency-check.4.0.xsd">&b;</analysis>',
    };
    for (const [tool, root] of Object.entries(bombs)) {
      const bomb = `<?xml version="1.0"?><!DOCTYPE b [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${root}`;
      await expect(parseText(parserOf(tool), bomb)).rejects.toMatchObject({ code: 'report_malformed' });
    }
    const undeclared = '<bom xmlns="http://cyclonedx.org/schema/bom/1.4"><components>&x;</components></bom>';
    await expect(parseText(parserOf('cyclonedx'), undeclared)).rejects.toMatchObject({ code: 'report_malformed' });
  });

  test('an abort ends the reading', async () => {
    const controller = new AbortController();
    controller.abort(new Error('stopped'));
    const chunks = (async function* () {
      yield sampleBytes('opengrep/one_finding.json');
    })();
    const reading = async () => {
      for await (const record of parserOf('opengrep').parse(chunks, { signal: controller.signal }))
        expect(record).toBeUndefined();
    };
    await expect(reading()).rejects.toThrow('stopped');
  });
});
