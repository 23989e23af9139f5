import { FINDING_TYPES, SEVERITIES, type TableField } from '@breakwater/sdk';

export const VERDICTS = ['false_positive', 'accepted_risk', 'mitigated_externally'] as const;

/** How a value is written and read. Lists are arrays in JSON, and separated by commas, semicolons or lines in a cell. */
export type FieldKind =
  | 'line'
  | 'text'
  | 'code'
  | 'position'
  | 'score'
  | 'date'
  | 'digest'
  | 'purl'
  | 'cve'
  | 'weaknesses'
  | 'words'
  | 'links'
  | 'severity'
  | 'type'
  | 'verdict';

interface FieldSpec {
  label: string;
  kind: FieldKind;
  help: string;
  /** What scanners and people call such a column, in lower case without signs, the best first. */
  synonyms: string;
  example?: string;
}

/**
 * All fields of a finding in the generic format, in the order of the template. Names are those of the product's own API and JSON export, so
 * that what was exported can be read. Schema, template, table of the documentation and the mapping of columns derive from it.
 */
export const FIELDS = {
  title: {
    ...{ label: 'Title', kind: 'line', help: 'One line: what is wrong.', example: 'SQL injection in the login form' },
    synonyms:
      'title finding name issue vulnerability summary problem issuename pluginname nvtname vulnerabilityname message synopsis',
  },
  severity: {
    // no text: values as a report writes them
    ...{ label: 'Severity', kind: 'severity', help: `One of ${SEVERITIES.join(', ')}.`, example: 'high' },
    synonyms: 'severity risk risklevel criticality level priority severitylevel riskfactor threat rating issueseverity',
  },
  type: {
    // no text: values as a report writes them
    ...{ label: 'Type', kind: 'type', help: `One of ${FINDING_TYPES.join(', ')}.`, example: 'SAST' },
    synonyms: 'type family scantype findingtype',
  },
  rule_id: {
    ...{ label: 'Rule', kind: 'line', example: 'sql-injection' },
    help: 'Stable name of the rule, check or vulnerability. Without it the title counts.',
    synonyms:
      'ruleid rule check checkid pluginid plugin testid queryid query vulnerabilityid vulnid signature nvtoid issuetype policyid checkname rulename',
  },
  file_path: {
    ...{
      label: 'File',
      kind: 'line',
      help: 'Path in the repository, or the address of what was scanned.',
      example: 'src/login.ts',
    },
    synonyms: 'filepath file path filename location sourcefile uri url address endpoint manifest artifactlocation',
  },
  start_line: {
    ...{ label: 'Line', kind: 'position', help: 'A whole number from 1.', example: '42' },
    synonyms: 'startline line linenumber lineno linestart beginline sourceline linenum',
  },
  end_line: {
    ...{ label: 'Last line', kind: 'position', help: 'A whole number from 1.', example: '42' },
    synonyms: 'endline lastline lineend toline',
  },
  start_column: {
    ...{ label: 'From column', kind: 'position', help: 'A whole number from 1.', example: '9' },
    synonyms: 'startcolumn column col fromcolumn begincolumn columnnumber',
  },
  end_column: {
    ...{ label: 'To column', kind: 'position', help: 'A whole number from 1.', example: '57' },
    synonyms: 'endcolumn tocolumn endcol',
  },
  code: {
    ...{
      label: 'Code',
      kind: 'code',
      help: 'The lines of code, as they stand.',
      example: 'db.query("select … " + name)',
    },
    synonyms: 'code snippet codesnippet sourcecode match context evidence',
  },
  description: {
    ...{ label: 'Description', kind: 'text', help: 'Text or Markdown.', example: 'User input reaches a query.' },
    synonyms: 'description details detail explanation desc longdescription vulnerabilitydescription issuetext comment',
  },
  mitigation: {
    ...{ label: 'Mitigation', kind: 'text', help: 'What to do; text or Markdown.', example: 'Use parameters.' },
    synonyms:
      'mitigation remediation recommendation solution fix howtofix stepstoremediate recommendedaction resolution advice',
  },
  native_severity: {
    ...{
      label: "The tool's own severity",
      kind: 'line',
      help: "The scanner's word, where it is another one.",
      example: 'P1',
    },
    synonyms: 'nativeseverity originalseverity vendorseverity',
  },
  resource: {
    ...{ label: 'Resource', kind: 'line', help: 'Cloud resource, Kubernetes object, image or host.', example: '' },
    synonyms:
      'resource resourceid resourcename arn asset assetname host hostname ipaddress ip image imagename container instance target dnsname server',
  },
  component: {
    ...{ label: 'Component', kind: 'line', help: 'Name of the package, such as lodash or @scope/name.', example: '' },
    synonyms:
      'component package packagename pkgname library dependency module componentname artifact product libraryname packages',
  },
  component_version: {
    ...{ label: 'Version', kind: 'line', help: 'Version that is used.', example: '' },
    synonyms:
      'componentversion version packageversion installedversion currentversion versioninuse pkgversion installed libraryversion',
  },
  fixed_version: {
    ...{ label: 'Fixed in', kind: 'line', help: 'Lowest version without the vulnerability.', example: '' },
    synonyms:
      'fixedversion fixedin fixversion patchedversion updatedversion fixedinversion patchedversions upgrade fixstatus',
  },
  purl: {
    ...{ label: 'Package URL', kind: 'purl', help: 'pkg:npm/lodash@4.17.20', example: '' },
    synonyms: 'purl packageurl',
  },
  ecosystem: {
    ...{ label: 'Ecosystem', kind: 'line', help: 'npm, maven, pypi, golang, deb …', example: '' },
    synonyms: 'ecosystem packagemanager packagetype',
  },
  cve: {
    ...{ label: 'CVE', kind: 'cve', help: 'CVE-2024-1234; several are kept as further ids.', example: '' },
    synonyms: 'cve cves cveid cveids cvelist',
  },
  aliases: {
    ...{ label: 'Further ids', kind: 'words', help: 'GHSA and others of the same vulnerability.', example: '' },
    synonyms: 'aliases ids identifiers ghsa ghsaid advisory advisoryid certs',
  },
  cwe: {
    ...{ label: 'CWE', kind: 'weaknesses', help: 'CWE-89 or 89, also several.', example: 'CWE-89' },
    synonyms: 'cwe cwes cweid cweids weakness issuecwe',
  },
  cvssv3_score: {
    ...{ label: 'CVSS', kind: 'score', help: 'A number from 0 to 10.', example: '' },
    synonyms: 'cvssv3score cvss cvssscore cvss3 cvssv3 score cvssv3basescore cvssbasescore basescore cvss3score',
  },
  cvssv3_vector: {
    ...{ label: 'CVSS vector', kind: 'line', help: 'CVSS:3.1/AV:N/AC:L/…', example: '' },
    synonyms: 'cvssv3vector cvssvector vector cvss3vector',
  },
  references: {
    ...{
      label: 'References',
      kind: 'links',
      help: 'Addresses that begin with http:// or https://.',
      example: 'https://example.com/rules/sql-injection',
    },
    synonyms:
      'references reference link links seealso moreinfo helpurl ruleurl otherreferences documentation vulnerabilitylink',
  },
  language: {
    ...{ label: 'Language', kind: 'line', help: 'Programming language.', example: '' },
    synonyms: 'language programminglanguage',
  },
  tags: {
    ...{ label: 'Tags', kind: 'words', help: 'Words, separated by commas.', example: '' },
    synonyms: 'tags labels',
  },
  policy_name: {
    ...{ label: 'Policy', kind: 'line', help: 'Policy, benchmark or set of rules.', example: '' },
    synonyms: 'policyname policy benchmark compliance ruleset standard',
  },
  policy_category: {
    ...{ label: 'Policy category', kind: 'line', help: 'Chapter of the policy.', example: '' },
    synonyms: 'policycategory',
  },
  policy_control: {
    ...{ label: 'Policy control', kind: 'line', help: 'Control of the policy.', example: '' },
    synonyms: 'policycontrol control controlid',
  },
  secret_hash: {
    ...{
      label: 'Digest of the secret',
      kind: 'digest',
      help: 'SHA-256 in hex of a secret; never the secret.',
      example: '',
    },
    synonyms: 'secrethash',
  },
  fingerprint: {
    ...{ label: 'Fingerprint', kind: 'line', example: '' },
    help: 'What the scanner knows the finding by, the same in every run; counts where there is no code, component or secret.',
    synonyms: 'fingerprint uniqueid hash instanceid findingid issueid',
  },
  date: {
    ...{ label: 'Date', kind: 'date', help: '2026-11-22 or 2026-11-22T10:00:00Z.', example: '2026-11-22' },
    synonyms:
      'date timestamp detectedat founddate firstseen created createdat scandate firstdiscovered detectiondate discovered',
  },
  published: {
    ...{ label: 'Published', kind: 'date', help: 'When the vulnerability was made public.', example: '' },
    synonyms: 'published publishedat publishedon publisheddate publicationdate datepublished disclosuredate',
  },
  verdict: {
    ...{ label: 'Verdict', kind: 'verdict', help: `${VERDICTS.join(', ')}; nothing for what is open.`, example: '' },
    synonyms: 'verdict suppressed suppression',
  },
  verdict_reason: {
    ...{ label: 'Reason of the verdict', kind: 'text', help: 'Why it is not to be acted on.', example: '' },
    synonyms: 'verdictreason suppressionreason justification',
  },
} as const satisfies Readonly<Record<string, FieldSpec>>;

export type FieldName = keyof typeof FIELDS;

export const isFieldName = (name: string): name is FieldName => Object.hasOwn(FIELDS, name);
export const FIELD_NAMES: readonly FieldName[] = Object.keys(FIELDS).filter(isFieldName);

/** Columns of a table that speak of the scan; the same in all its rows. */
export const REPORT_FIELDS = ['tool', 'target', 'part', 'scan_status'] as const;
export type ReportField = (typeof REPORT_FIELDS)[number];

const VALUES: Readonly<Partial<Record<FieldKind, readonly string[]>>> = {
  severity: SEVERITIES,
  type: FINDING_TYPES,
  verdict: VERDICTS,
};
const REQUIRED: readonly FieldName[] = ['title', 'severity', 'type'];

const fieldOf = (name: FieldName): TableField => {
  const { label, help, kind } = FIELDS[name];
  const values = VALUES[kind];
  return { name, label, help, isRequired: REQUIRED.includes(name), ...(values === undefined ? {} : { values }) };
};

/** The fields as the mapping of columns offers them. */
export const TABLE_FIELDS: readonly TableField[] = FIELD_NAMES.map(fieldOf);

/** A name of a column without what people write differently: `Line Number`, `line_number` and `lineNumber` are one. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '');

/** Fields by what their columns are called; the first field that claims a name has it. */
const BY_SYNONYM: ReadonlyMap<string, { field: FieldName; rank: number }> = new Map(
  FIELD_NAMES.toReversed().flatMap((field) =>
    FIELDS[field].synonyms
      .split(' ')
      .map((name, rank) => [name, { field, rank }] as const)
      .toReversed(),
  ),
);

/** The column for each field by its name, the best one where several would do. */
export function proposeColumns(columns: readonly string[]): Map<FieldName, string> {
  const best = new Map<FieldName, { column: string; rank: number }>();
  for (const column of columns) {
    const found = BY_SYNONYM.get(plainName(column));
    const known = found === undefined ? undefined : best.get(found.field);
    if (found !== undefined && (known === undefined || found.rank < known.rank))
      best.set(found.field, { column, rank: found.rank });
  }
  return new Map([...best].map(([field, { column }]) => [field, column]));
}
