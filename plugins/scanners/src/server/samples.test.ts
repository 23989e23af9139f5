import type { NormalizedFinding } from '@breakwater/sdk';
import { ReportError } from '@breakwater/sdk';
import { describe, expect, test } from 'vitest';
import { parsers } from './index.ts';
import { cweNumbers } from './lib/findings/identifiers.ts';
import { normalisePath } from './lib/findings/packages.ts';
import { type Fact, parseBytes, type Sample, sampleBytes, samples } from './testing/samples.ts';

/** Every sample of the contract, against every fact it states. */

function parserOf(tool: string) {
  const parser = parsers.find((known) => known.tool === tool || known.aliases?.includes(tool));
  if (parser === undefined) throw new Error(`no parser for ${tool}`);
  return parser;
}

const CLASSES: Record<string, string> = {
  SCA: 'vulnerability',
  Container: 'vulnerability',
  IaC: 'misconfiguration',
  Configuration: 'misconfiguration',
  Secrets: 'secret',
  License: 'license',
};

/** Samples with records that no importer could use. */
const HAS_UNREADABLE = new Set(['trivy/legacy_trivy_mix.json', 'hadolint/am_hadolint-unsual.json']);

function counted(values: Iterable<string>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

const oneLine = (text: string) => text.replaceAll('\0', '').replace(/\s+/g, ' ').trim();

/** `file:` addresses are read as paths, of SARIF relative to the folder of the checkout. */
const isSamePath = (expected: string, path = ''): boolean =>
  expected.startsWith('file:')
    ? path !== '' && expected.endsWith(`/${path.replace(/^\//, '')}`)
    : normalisePath(expected) === path;

/** What a fact says that the finding does not, in words. */
function differences(fact: Fact, finding: NormalizedFinding): string[] {
  const place = finding.locations?.[0];
  const component = finding.component;
  const checks: [string, boolean][] = [
    ['id', fact.id === undefined || fact.id === finding.ruleId || fact.id === finding.fingerprint],
    ['title', fact.title === undefined || isSameTitle(fact.title, finding.title)],
    ['severity', fact.severity === undefined || fact.severity.toLowerCase() === finding.nativeSeverity?.toLowerCase()],
    ['level', fact.level === undefined || fact.level === finding.nativeSeverity],
    ['security_severity', !Number(fact.security_severity) || Number(fact.security_severity) === finding.cvssScore],
    ['cwe', isSameCwe(fact.cwe, finding.cwe)],
    ['cve', [fact.cve ?? []].flat().every((cve) => cve === finding.cve || finding.aliases?.includes(cve) === true)],
    ['file_path', fact.file_path === undefined || isSamePath(fact.file_path, place?.path)],
    ['line', fact.line === undefined || fact.line === place?.startLine],
    ['component', fact.component === undefined || isSameComponent(fact.component, finding)],
    [
      'component_version',
      fact.component_version === undefined || oneLine(fact.component_version) === component?.version,
    ],
    ['fix_version', fact.fix_version === undefined || fact.fix_version === component?.fixedVersion],
  ];
  return checks.filter(([, holds]) => !holds).map(([name]) => name);
}

/** Long messages are cut in the facts at 160 characters, in titles at 500. */
function isSameTitle(fact: string, title: string): boolean {
  // The facts of an FPR join type and subtype as they stand, without the colon that Fortify shows between them.
  const line = oneLine(fact);
  return line === title || line === title.replace(': ', ' ') || (line.length > 140 && title.startsWith(line));
}

/**
 * Dependency-Check names files; findings name the package the file is, whose file stands as their place. Tools that check
 * configuration name the resource.
 */
function isSameComponent(fact: string, finding: NormalizedFinding): boolean {
  if (fact === finding.resource) return true;
  if (fact === finding.component?.name || fact === `${finding.component?.name}:${finding.component?.version}`)
    return true;
  const path = finding.locations?.[0]?.path ?? '';
  return path.endsWith(fact) || fact.split(': ').every((part) => path.includes(part));
}

/** A single number is the first of them, where the counter could keep but one. */
function isSameCwe(fact: Fact['cwe'], cwe: number[] | undefined): boolean {
  return typeof fact === 'number' ? fact === cwe?.[0] : sorted(cweNumbers(fact)) === sorted(cwe);
}

function sorted(cwe: number[] | undefined): string {
  return [...(cwe ?? [])].sort((a, b) => a - b).join();
}

/** Facts leave weaknesses out where their counter did not look; then nothing is compared. */
function relevant(fact: Fact, finding: NormalizedFinding): Fact {
  const ours = finding.cwe;
  return fact.cwe === undefined && ours !== undefined ? { ...fact, cwe: ours } : fact;
}

function assertFacts(sample: Sample, findings: readonly NormalizedFinding[]): void {
  for (const fact of sample.findings ?? []) {
    const gaps = findings.map((finding) => differences(relevant(fact, finding), finding));
    const closest = gaps.reduce(
      (best, gap) => (gap.length < best.length ? gap : best),
      ['no finding at all', '', '', '', '', '', ''],
    );
    expect(closest, `${sample.file}: ${JSON.stringify(fact)}`).toEqual([]);
  }
}

function assertSeverities(sample: Sample, findings: readonly NormalizedFinding[]): void {
  const { native_severity_counts: stated } = sample;
  // Sections that repeat results are counted as listed.
  if (stated === undefined || sample.listed_count !== undefined) return;
  if (sample.tool === 'sarif') {
    // A level that the result leaves to its rule counts as "none" in the facts.
    const levels = counted(findings.map((finding) => finding.nativeSeverity ?? 'none'));
    for (const [level, count] of Object.entries(stated)) {
      if (level !== 'none') expect(levels[level] ?? 0, level).toBeGreaterThanOrEqual(count);
    }
    expect(findings).toHaveLength(Object.values(stated).reduce((sum, count) => sum + count, 0));
    return;
  }
  expect(counted(findings.map((finding) => finding.nativeSeverity?.toLowerCase() ?? 'none'))).toEqual(stated);
}

describe('samples', () => {
  test.each(samples().map((sample) => [sample.file, sample] as const))('%s', async (_file, sample) => {
    const parser = parserOf(sample.tool);
    const bytes = sampleBytes(sample.file);
    if (sample.expect === 'error') {
      const failure = await parseBytes(parser, bytes).then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(failure).toBeInstanceOf(ReportError);
      expect((failure as ReportError).message.length).toBeGreaterThan(40);
      return;
    }
    const { findings, components, unreadable } = await parseBytes(parser, bytes);
    // Dependency-Check's suppressed results stand beside the counted ones; elsewhere they are among them.
    const active =
      sample.tool === 'owasp-dependency-check' ? findings.filter((finding) => !finding.suppressed) : findings;
    expect(active).toHaveLength(sample.expected_count);
    if (!HAS_UNREADABLE.has(sample.file)) expect(unreadable).toEqual([]);
    if (sample.suppressed_count !== undefined) {
      expect(findings.filter((finding) => finding.suppressed)).toHaveLength(sample.suppressed_count);
    }
    if (sample.components_count !== undefined) expect(components).toHaveLength(sample.components_count);
    for (const component of sample.components ?? []) {
      if (component.name === undefined) continue;
      const match = components.find((known) => known.name === component.name && known.version === component.version);
      expect(match).toMatchObject({
        name: component.name,
        ...(component.type === undefined ? {} : { type: component.type }),
        ...(component.purl === undefined ? {} : { purl: component.purl }),
        ...(component.ref === undefined ? {} : { ref: component.ref }),
      });
    }
    if (sample.class_counts !== undefined) {
      expect(counted(findings.map((finding) => CLASSES[finding.type] ?? finding.type))).toEqual(sample.class_counts);
    }
    assertSeverities(sample, active);
    assertFacts(sample, active);
  });
});

/** Drivers that name themselves otherwise than the parser. */
const DRIVERS = new Map([
  ['opengrep', 'semgrep'],
  ['owasp-dependency-check', 'dependency-check'],
]);

/** The parser that a sample is for: SARIF belongs to the tool that wrote it, where that has a parser. */
function ownerOf(sample: Sample, bytes: Buffer): string {
  if (!bytes.includes('"driver"')) return sample.tool;
  const driver = /"driver":\s*\{[^{}[\]]*?"name":\s*"([^"]*)"/.exec(bytes.toString('utf8'))?.[1] ?? '';
  const isDriver = (tool: string) => driver.toLowerCase().startsWith(DRIVERS.get(tool) ?? tool);
  return parsers.find(({ tool }) => isDriver(tool))?.tool ?? sample.tool;
}

describe('recognition', () => {
  // `[]` and `null` may be any tool's "nothing found".
  const readable = samples().filter(
    (sample) =>
      sample.expect !== 'error' && sampleBytes(sample.file).toString('latin1', 0, 20).replaceAll(/\s/g, '').length > 4,
  );
  test.each(readable.map((sample) => [sample.file, sample] as const))('%s is known by its content', (_file, sample) => {
    const bytes = sampleBytes(sample.file);
    const head = bytes.subarray(0, 64 * 1024);
    const scores = parsers.map((parser) => ({ tool: parser.tool, score: parser.recognise(head) }));
    const best = scores.reduce((first, other) => (other.score > first.score ? other : first));
    expect(best.tool).toBe(ownerOf(sample, bytes));
    expect(best.score).toBeGreaterThanOrEqual(0.8);
    expect(scores.filter(({ score }) => score >= 0.5)).toHaveLength(1);
  });

  test.each(readable.map((sample) => [sample.file, sample] as const))(
    '%s is refused by other tools',
    async (_file, sample) => {
      const bytes = sampleBytes(sample.file);
      if (bytes.length > 300_000) return;
      const owner = ownerOf(sample, bytes);
      for (const parser of parsers) {
        const { tool } = parser;
        // SARIF may always be uploaded as such.
        if (tool === sample.tool || tool === owner || (tool === 'sarif' && bytes.includes('"driver"'))) continue;
        await expect(parseBytes(parser, bytes), tool).rejects.toBeInstanceOf(ReportError);
      }
    },
  );
});
