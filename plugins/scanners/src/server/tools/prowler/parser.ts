import type { NormalizedFinding, ParseOptions, ReportParser, ReportRecord } from '@breakwater/sdk';
import { partOf } from '../../lib/findings/coverage.ts';
import { webAddresses } from '../../lib/findings/identifiers.ts';
import { severityFromWord } from '../../lib/findings/severity.ts';
import { isoDate, oneLine, paragraphs } from '../../lib/findings/text.ts';
import { advised, readByStart } from '../../lib/formats/by-start.ts';
import { csvColumns, readTableReport } from '../../lib/formats/csv.ts';
import { headText } from '../../lib/input/decode.ts';
import { type JsonFormat, wrongTool } from '../../lib/json/records.ts';
import { hasKeys, innerHas, sketchJson, textsUnder } from '../../lib/json/sketch.ts';
import { readJson, recordsAlone, type StreamReader } from '../../lib/json/stream-parser.ts';
import { defined, label, text } from '../../lib/values/read.ts';
import { type Check, checkOfJson, checkOfRow, type JsonCheck, jsonCheck, rowCheck } from './layouts.ts';

const FAILED = /^(?:fail(?:ed|ure)?|warn(?:ing)?)$/i;

/** Undefined for checks that passed, need a person, or were muted. */
export function checkFinding(check: Check): NormalizedFinding | undefined {
  if (check.isMuted === true || !FAILED.test(label(check.status) ?? '')) return undefined;
  const ruleId = label(check.id) ?? 'unnamed check';
  const nativeSeverity = label(check.severity);
  const message = text(check.message);
  const account = label(check.account);
  const region = label(check.region);
  const tags = [label(check.provider), label(check.service), region, account].filter((tag) => tag !== undefined);
  const command = text(check.command);
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(text(check.title) ?? message ?? ruleId),
    type: 'Cloud' as const,
    severity: severityFromWord(nativeSeverity) ?? 'medium',
    nativeSeverity,
    description: paragraphs(message, text(check.description), text(check.risk)),
    mitigation: paragraphs(text(check.remedy), command === undefined ? undefined : `\`\`\`\n${command}\n\`\`\``),
    references: webAddresses(...check.links),
    resource: label(check.resource) ?? placeOf(account, region),
    policy: policyOf(check, ruleId),
    fingerprint: label(check.fingerprint) ?? ownFingerprint(account, region, message),
    date: isoDate(check.date) ?? epochDate(check.date),
    tags: tags.length === 0 ? undefined : [...new Set(tags)],
  });
}

function placeOf(account: string | undefined, region: string | undefined): string | undefined {
  const parts = [account, region].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join('/');
}

/** Version 2 names the resource in its message only. */
function ownFingerprint(account: string | undefined, region: string | undefined, message: string | undefined) {
  return message === undefined ? undefined : oneLine([account, region, message].filter(Boolean).join(' '));
}

function policyOf({ compliance, service }: Check, ruleId: string): NormalizedFinding['policy'] {
  const [framework, control] = compliance?.[0] ?? [];
  return defined({ name: label(framework), category: label(service), control: label(control) ?? ruleId });
}

/** Seconds since 1970. */
function epochDate(value: unknown): string | undefined {
  const isSeconds = typeof value === 'number' && value > 86_400 && value < 100_000_000_000;
  return isSeconds ? new Date(Math.trunc(value * 1000)).toISOString() : undefined;
}

const NAME = 'Prowler';

/** AWS's format as Security Hub hands it out: the list in an object. */
const FORMAT: JsonFormat = { name: NAME, shape: { Findings: 'records' }, emptyForms: ['[]'] };

function recogniseProwler(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (hasKeys(sketch, 'CheckID', 'Status') || hasKeys(sketch, 'Control', 'Status', 'Account Number')) return 0.98;
  if (hasKeys(sketch, 'GeneratorId', 'ProductArn') || innerHas(sketch, 'Findings', 'GeneratorId', 'ProductArn'))
    return isProwlers(head, 'ProductFields', 'ProviderName') ? 0.98 : 0.2;
  // OCSF is written by other tools as well.
  if (hasKeys(sketch, 'finding_info', 'metadata') || hasKeys(sketch, 'finding', 'metadata', 'cloud')) {
    return isProwlers(head, 'product', 'name') ? 0.98 : 0.3;
  }
  return delimiterOf(headText(head)) === undefined ? 0 : 0.98;
}

function isProwlers(head: Uint8Array, holder: string, name: string): boolean {
  return textsUnder(head, holder, name).some((product) => /prowler/i.test(product));
}

/** Version 2 separates by commas, later ones by semicolons; people save either as the other. */
function delimiterOf(bytes: Buffer): ',' | ';' | undefined {
  return ([',', ';'] as const).find((delimiter) => {
    const columns = csvColumns(bytes, delimiter).map(columnName);
    const has = (...names: string[]) => names.every((name) => columns.includes(name));
    return has('TITLE_ID', 'TITLE_TEXT', 'REGION') || has('CHECK_ID', 'STATUS', 'STATUS_EXTENDED');
  });
}

/** Columns of the first versions are words with spaces. */
function columnName(name: string): string {
  return name.trim().toUpperCase().replaceAll(' ', '_');
}

/** @throws ReportError */
const parseProwler = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readByStart(report, (start) => {
    const delimiter = delimiterOf(Buffer.from(start));
    return delimiter === undefined
      ? (whole) => readJson(whole, options, FORMAT, createReader)
      : (whole) => parseRows(whole, delimiter, options);
  });

/** Where was looked: passed checks are listed too, so that this is not a matter of what was found. */
class Places {
  private readonly accounts = new Set<string>();
  private readonly regions = new Set<string>();

  see(check: Check): Check {
    const account = label(check.account);
    const region = label(check.region);
    if (account !== undefined) this.accounts.add(account);
    if (region !== undefined) this.regions.add(region);
    return check;
  }

  /** Of several regions nobody knows whether these are all. */
  *part(): Generator<ReportRecord> {
    const [region] = this.regions;
    for (const account of this.accounts) yield* partOf({ account });
    if (this.regions.size === 1) yield* partOf({ region });
  }
}

const createReader = (): StreamReader => {
  const places = new Places();
  const alone = recordsAlone(NAME, jsonCheck, (record: JsonCheck) => checkFinding(places.see(checkOfJson(record))));
  return {
    ...alone,
    end: () => [...(alone.end?.() ?? []), ...places.part()],
    lists: { ...alone.lists, Findings: alone.lists.report },
    document(document) {
      if (!document.lists.has('Findings')) throw wrongTool(NAME, 'its “Findings” are no list');
      return [];
    },
  };
};

function parseRows(
  report: AsyncIterable<Uint8Array>,
  delimiter: ',' | ';',
  options: ParseOptions,
): AsyncIterable<ReportRecord> {
  const places = new Places();
  const table = { tool: NAME, delimiter, column: columnName, check: rowCheck, end: () => places.part() };
  return readTableReport(report, options, table, (row) => checkFinding(places.see(checkOfRow(row))));
}

export const prowler: ReportParser = {
  tool: 'prowler',
  formats: ['json', 'jsonl', 'csv'],
  reads: {
    part: { account: 'account of every check, passed ones too', region: 'its region, where all checks have the same' },
    failure: [],
    identity: 'check, resource and account',
  },
  recognise: recogniseProwler,
  parse: advised(parseProwler, 'prowler -M json-ocsf csv'),
};
