import type { NormalizedFinding, ParseOptions, ReportParser, ReportRecord, Severity } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { inCheckout } from '../../lib/findings/checkout-paths.ts';
import { cweNumbers, webAddresses } from '../../lib/findings/identifiers.ts';
import { normalisePath } from '../../lib/findings/packages.ts';
import { oneLine, paragraphs } from '../../lib/findings/text.ts';
import { advised, readByStart } from '../../lib/formats/by-start.ts';
import { csvColumns, readTableReport } from '../../lib/formats/csv.ts';
import { headText } from '../../lib/input/decode.ts';
import { defined, fields, label, position, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';
import { orSarif } from '../sarif/coverage.ts';
import { parseSarifOf, sarifScore } from '../sarif/parser.ts';
import { SARIF_WRITERS } from '../sarif/writers.ts';

const SARIF = SARIF_WRITERS.flawfinder;
const NAME = SARIF.name;

/** Source: flawfinder.py, `--csv`, versions 2.0.0 to 2.0.19; `RuleId` came with 2.0.15. */
const Hit = Type.Object({
  File: Type.String({ minLength: 1 }),
  Level: Type.String({ pattern: '^[0-5]$' }),
  Name: Type.String({ minLength: 1 }),
});
type Hit = Static<typeof Hit>;

const isCsv = (head: Buffer): boolean => {
  const columns = csvColumns(head);
  return ['File', 'Line', 'Level', 'Category', 'Name', 'Warning'].every((name) => columns.includes(name));
};

const recogniseFlawfinder = (head: Uint8Array): number => (isCsv(headText(head)) ? 0.97 : sarifScore(head, SARIF));

/** @throws ReportError */
const parseFlawfinder = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readByStart(
    report,
    (start) => (whole) =>
      start.startsWith('{') ? parseSarifOf(SARIF, whole, options) : inCheckout(parseHits(whole, options)),
  );

function parseHits(report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> {
  const refuse = (bytes: Buffer): string | undefined =>
    isCsv(bytes) ? undefined : 'its first line does not name the columns of “--csv”';
  return readTableReport(report, options, { tool: NAME, refuse, check: recordCheck(Hit) }, hitFinding);
}

/** Risk levels go from 0, very little risk, to 5, great risk. */
const SEVERITIES: readonly Severity[] = ['informational', 'low', 'low', 'medium', 'high', 'critical'];

function hitFinding(hit: Hit): NormalizedFinding {
  const row = fields(hit);
  const name = [label(row.Category), label(row.Name)].filter((part) => part !== undefined).join('/');
  const warning = text(row.Warning);
  const path = normalisePath(row.File);
  const place = { startLine: position(row.Line), startColumn: position(row.Column), snippet: text(row.Context) };
  return defined({
    kind: 'finding' as const,
    ruleId: label(row.RuleId) ?? name,
    title: oneLine(warning === undefined ? name : `${label(row.Name)}: ${warning}`),
    type: 'SAST' as const,
    severity: SEVERITIES[Number(hit.Level)] ?? 'informational',
    nativeSeverity: hit.Level,
    description: paragraphs(warning, text(row.Note)),
    mitigation: text(row.Suggestion),
    cwe: cweNumbers(row.CWEs),
    references: webAddresses(row.HelpUri),
    locations: path === undefined ? undefined : [defined({ path, ...place })],
    fingerprint: label(row.Fingerprint),
    policy: { name },
  });
}

export const flawfinder: ReportParser = {
  tool: 'flawfinder',
  formats: ['csv', 'sarif'],
  reads: orSarif({ part: {}, failure: [], identity: 'rule, path and code' }),
  recognise: recogniseFlawfinder,
  parse: advised(parseFlawfinder, 'flawfinder --csv'),
};
