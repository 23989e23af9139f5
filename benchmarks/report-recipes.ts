import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const SAMPLES = new URL('../plugins/scanners/src/server/__fixtures__/reports/', import.meta.url);

/** How a large report of a tool is made from a real small one. */
export type Recipe = { tool: string; sample: string } & (
  | { form: 'json' /** Names that lead to the list of results; empty for the document itself. */; list: string }
  | { form: 'lines' /** Lines before the results; only lines that match are results. */; head?: number; match?: RegExp }
  | {
      form: 'marks' /** The part from the first `open` to the last `close` is repeated. */;
      open: string;
      close: string;
    }
);

export const RECIPES: readonly Recipe[] = [
  { tool: 'opengrep', sample: 'opengrep/ssf_pygoat_scan_os.json', form: 'json', list: 'results' },
  { tool: 'sarif', sample: 'sarif/am_security-scan.sarif', form: 'json', list: 'runs.0.results' },
  { tool: 'trivy', sample: 'trivy/issue_9333.json', form: 'json', list: 'Results.0.Vulnerabilities' },
  { tool: 'grype', sample: 'grype/ssf_juice_shop-grype-sca.json', form: 'json', list: 'matches' },
  { tool: 'bandit', sample: 'bandit/many_vulns.json', form: 'json', list: 'results' },
  { tool: 'black_duck', sample: 'black_duck/blackduck__many_vulns.csv', form: 'lines', head: 1 },
  { tool: 'chainbench', sample: 'chainbench/readme_example.json', form: 'json', list: 'results' },
  {
    ...{ tool: 'checkmarx', sample: 'checkmarx/checkmarx__single_finding.xml' },
    ...{ form: 'marks', open: '<Result ', close: '</Result>' },
  },
  {
    ...{ tool: 'checkov', sample: 'checkov/ssf_terraform-checkov-3.json' },
    ...{ form: 'json', list: 'results.failed_checks' },
  },
  { tool: 'clamav', sample: 'clamav/clamav_many_vuln.txt', form: 'lines', match: /FOUND\s*$/ },
  { tool: 'cloudsploit', sample: 'cloudsploit/cloudsploit_many_vul.json', form: 'json', list: '' },
  { tool: 'cyclonedx', sample: 'cyclonedx/issue_9277.json', form: 'json', list: 'vulnerabilities' },
  {
    ...{ tool: 'dependabot', sample: 'dependabot/github-vuln-version.json' },
    ...{ form: 'json', list: 'data.repository.vulnerabilityAlerts.nodes' },
  },
  { tool: 'devskim', sample: 'devskim/devskim_many_vuln.sarif', form: 'json', list: 'runs.0.results' },
  { tool: 'dustilock', sample: 'dustilock/many.txt', form: 'lines', match: /^error/ },
  {
    ...{ tool: 'fortify', sample: 'fortify/fortify_many_findings.xml' },
    ...{ form: 'marks', open: '<Issue ', close: '</Issue>' },
  },
  { tool: 'github', sample: 'github/github_sast__github_sast_one_vul.json', form: 'json', list: '' },
  {
    ...{ tool: 'gitlab', sample: 'gitlab/gitlab_sast__gl-sast-report-many-vuln_v15.json' },
    ...{ form: 'json', list: 'vulnerabilities' },
  },
  { tool: 'gitleaks', sample: 'gitleaks/version_7.5.0.json', form: 'json', list: '' },
  { tool: 'hadolint', sample: 'hadolint/ssf_hadolint_many_files.json', form: 'json', list: '' },
  { tool: 'kics', sample: 'kics/many_findings.json', form: 'json', list: 'queries' },
  { tool: 'nuclei', sample: 'nuclei/scb_nuclei-results.jsonl', form: 'lines' },
  {
    ...{ tool: 'owasp-dependency-check', sample: 'owasp-dependency-check/single_vuln.xml' },
    ...{ form: 'marks', open: '<dependency>', close: '</dependency>' },
  },
  { tool: 'prowler', sample: 'prowler/aws_prowler_v3plus__one_vuln.ocsf.json', form: 'json', list: '' },
  { tool: 'spdx', sample: 'spdx/spdx_many_vuln.json', form: 'json', list: 'packages' },
  { tool: 'syft', sample: 'syft/alpine-format.syft.json', form: 'json', list: 'artifacts' },
  { tool: 'terrascan', sample: 'terrascan/e2e_scan_multiple_rules.json', form: 'json', list: 'results.violations' },
  { tool: 'tflint', sample: 'tflint/am_tflint.json', form: 'json', list: 'issues' },
  { tool: 'trufflehog', sample: 'trufflehog/hd_trufflehog_saf_example.json', form: 'json', list: '' },
];

const textOf = (sample: string): string => {
  const plain = new URL(sample, SAMPLES);
  const bytes = existsSync(plain) ? readFileSync(plain) : gunzipSync(readFileSync(new URL(`${sample}.gz`, SAMPLES)));
  return bytes.toString('utf8').replace(/^\ufeff/, '');
};

/** An issue that a report says twice is read once. */
const ID = /(\biid=")/;
const LINE = /line(_?number)?$/i;
const PLACE = /^(path|file|file_?name|file_?path|uri|fingerprint|uuid|SPDXID|PkgName|bom-ref)$/i;
const FILES = 2_500;
const LINES = 900;

/** The same record at another place: lines and paths differ, what the tool says stays. */
const moved = (value: unknown, n: number, name = ''): unknown => {
  if (Array.isArray(value)) return value.map((one) => moved(one, n, name));
  if (typeof value === 'number') return LINE.test(name) ? value + (n % LINES) : value;
  if (typeof value === 'string') return PLACE.test(name) && value !== '' ? `${value}-${n % FILES}` : value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, moved(inner, n, key)]));
};

const MARK = '"@@results@@"';

/** Finds the list, puts a mark in its place, and returns the text around it. */
const cutList = (document: unknown, names: readonly string[]): { around: string; list: unknown[] } => {
  const found: { list: unknown[] } = { list: [] };
  const replace = (value: unknown, rest: readonly string[]): unknown => {
    const [name, ...further] = rest;
    if (name === undefined) {
      if (!Array.isArray(value) || value.length === 0) throw new Error(`No list at ${names.join('.')}`);
      found.list = value;
      return [JSON.parse(MARK)];
    }
    if (Array.isArray(value)) return value.map((one, n) => (String(n) === name ? replace(one, further) : one));
    return Object.fromEntries(
      Object.entries(Object(value)).map(([key, inner]) => [key, key === name ? replace(inner, further) : inner]),
    );
  };
  return { around: JSON.stringify(replace(document, names)), list: found.list };
};

const at = <T>(list: readonly T[], n: number): T => {
  const item = list[n % list.length];
  if (item === undefined) throw new Error('The sample has no result');
  return item;
};

/** The text of a report with `count` results, piece by piece. Some tools say several findings in one result, or none. */
export function* generateReport(recipe: Recipe, count: number): Generator<string> {
  const text = textOf(recipe.sample);
  if (recipe.form === 'json') {
    const { around, list } = cutList(JSON.parse(text), recipe.list === '' ? [] : recipe.list.split('.'));
    const [head = '', tail = ''] = around.split(MARK);
    yield head;
    for (let n = 0; n < count; n += 1) yield `${n === 0 ? '' : ','}${JSON.stringify(moved(at(list, n), n))}`;
    yield tail;
    return;
  }
  if (recipe.form === 'marks') {
    const start = text.indexOf(recipe.open);
    const end = text.lastIndexOf(recipe.close) + recipe.close.length;
    const parts = text.slice(start, end).split(recipe.close).slice(0, -1);
    yield text.slice(0, start);
    for (let n = 0; n < count; n += 1) yield `${at(parts, n).replace(ID, `$1${n}-`)}${recipe.close}`;
    yield text.slice(end);
    return;
  }
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const { head = 0, match = /./ } = recipe;
  const results = lines.slice(head).filter((line) => match.test(line));
  for (const line of lines.slice(0, head)) yield `${line}\n`;
  for (let n = 0; n < count; n += 1) yield `${at(results, n)}\n`;
}
