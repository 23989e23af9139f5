import type { NormalizedFinding, ParseOptions, ReportRecord } from '@breakwater/sdk';
import { readReport } from '../../lib/decode.ts';
import { readJsonReport } from '../../lib/json-parser.ts';
import type { JsonReport, JsonShape } from '../../lib/json-report.ts';
import { hasKeys, sketchJson } from '../../lib/json-sketch.ts';
import type { Tally } from '../../lib/records.ts';
import { type AlertReader, looseAlerts, webhookAlert } from './alerts.ts';
import { codeAlertFinding } from './code-alert.ts';
import { codeAlertCheck, secretAlertCheck } from './schema.ts';
import { secretAlertFinding } from './secret-alert.ts';

const SHAPE: JsonShape = { alert: 'value' };
const NAME = 'GitHub';

export function recogniseGithub(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (hasKeys(sketch, 'rule', 'tool', 'most_recent_instance')) return 0.98;
  if (hasKeys(sketch, 'secret_type', 'number') || hasKeys(sketch, 'secret_type', 'locations_url')) return 0.98;
  return hasKeys(sketch, 'html_url', 'rule') ? 0.9 : 0;
}

/** @throws ReportError */
export async function* parseGithub(
  report: AsyncIterable<Uint8Array>,
  options: ParseOptions,
): AsyncGenerator<ReportRecord> {
  const bytes = await readReport(report, options.signal);
  yield* readJsonReport(bytes, { name: NAME, shape: SHAPE }, (json, tally) => readAlerts(json, tally, options.signal));
}

function* readAlerts(json: JsonReport, tally: Tally, signal: AbortSignal): Generator<ReportRecord> {
  yield { kind: 'report', toolName: NAME };
  const reader: AlertReader = { name: NAME, tally, signal, read: findingOf };
  for (const document of json.documents) yield* webhookAlert(document, reader);
  yield* looseAlerts(json, reader);
}

function findingOf(alert: Record<string, unknown>): NormalizedFinding | string {
  if (secretAlertCheck.accepts(alert)) return secretAlertFinding(alert);
  if (codeAlertCheck.accepts(alert)) return codeAlertFinding(alert);
  return alert.security_advisory === undefined
    ? 'is no alert of code scanning or secret scanning'
    : 'is an alert of Dependabot: upload it as dependabot';
}
