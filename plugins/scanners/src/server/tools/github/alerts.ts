import type { NormalizedFinding, ReportRecord } from '@breakwater/sdk';
import { Type } from 'typebox';
import type { JsonNode, JsonReport } from '../../lib/json-report.ts';
import { fields, isRecord, label, text } from '../../lib/read.ts';
import { readRecords, type Tally, wrongTool } from '../../lib/records.ts';
import { recordCheck } from '../../lib/schema.ts';

/** Alerts of GitHub's REST API: alone, in pages, in pages of pages (`gh api --slurp`), in a webhook's `alert`. */

const anyRecord = recordCheck(Type.Union([Type.Object({}), Type.Array(Type.Unknown())]));

export interface AlertReader {
  /** Name of the importer for messages. */
  name: string;
  tally: Tally;
  signal: AbortSignal;
  /** The finding of an alert; a text says why it is none. */
  read: (alert: Record<string, unknown>) => NormalizedFinding | string;
}

/** @throws ReportError for an error of the API in the place of the alerts */
export function* looseAlerts(json: JsonReport, reader: AlertReader): Generator<ReportRecord> {
  const { tally, signal } = reader;
  const source = { report: json, ranges: json.loose, list: 'report', check: anyRecord, tally, signal };
  yield* readRecords(source, function* (record, index) {
    tally.readable -= 1;
    for (const alert of Array.isArray(record) ? record : [record]) yield* oneAlert(alert, `report[${index}]`, reader);
  });
}

/** The alert of a webhook. */
export function* webhookAlert(document: JsonNode, reader: AlertReader): Generator<ReportRecord> {
  if (document.values.has('alert')) yield* oneAlert(document.values.get('alert'), 'alert', reader);
}

function* oneAlert(value: unknown, where: string, { name, tally, read }: AlertReader): Generator<ReportRecord> {
  const alert = fields(value);
  const refusal = label(alert.message);
  if (refusal !== undefined && alert.documentation_url !== undefined)
    throw wrongTool(name, undefined, `it is GitHub's answer “${refusal}” to a request that failed`);
  const made = isRecord(value) ? read(alert) : 'is no object';
  if (typeof made === 'string') yield* tally.fault(where, made);
  else {
    tally.readable += 1;
    yield made;
  }
}

/** Reasons that say there is nothing to do, as opposed to nothing that will be done. */
const NOTHING_THERE = /false.positive|inaccurate|not.used|pattern.(?:deleted|edited)/i;

/** The alert is gone, or the secret was taken back. */
const isFixed = (state: string, reason: string | undefined): boolean => state === 'fixed' || reason === 'revoked';

interface Closing {
  state: unknown;
  reason: unknown;
  comment: unknown;
}

/** An alert that was closed on GitHub, by a person or because it is gone. */
export function suppressionOf({ state, reason, comment }: Closing): NormalizedFinding['suppressed'] {
  const word = label(state)?.toLowerCase() ?? 'open';
  if (word === 'open') return undefined;
  const why = said(reason)?.replaceAll('_', ' ').toLowerCase();
  const parts = [`${word.replaceAll('_', ' ')} on GitHub`, why, said(comment)].filter((part) => part !== undefined);
  const verdict = NOTHING_THERE.test(why ?? '')
    ? 'false_positive'
    : isFixed(word, why)
      ? 'mitigated_externally'
      : 'accepted_risk';
  return { verdict, reason: parts.join(': ') };
}

/** Exports by script write Python's "None". */
export function said(value: unknown): string | undefined {
  const found = text(value, 2_000);
  return found === 'None' || found === 'null' ? undefined : found;
}

/** Name of the repository, where a report holds the alerts of several. */
export function repositoryOf(value: unknown): string | undefined {
  const repository = fields(value);
  return label(repository.full_name) ?? label(repository.nameWithOwner) ?? label(repository.name);
}
