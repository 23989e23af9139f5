import type { NormalizedFinding, Severity } from '@breakwater/sdk';
import { defined, fields, label, labels, text } from '../../lib/read.ts';
import { webAddresses } from '../../lib/references.ts';
import { severityFromWord } from '../../lib/severity.ts';
import { oneLine, paragraphs } from '../../lib/text.ts';
import type { Result } from './schema.ts';

/** Words for the numbers that the scan itself uses. */
const STATUSES: ReadonlyMap<string, string> = new Map([
  ['1', 'WARN'],
  ['2', 'FAIL'],
]);

/** Undefined for what is in order or could not be found out. */
export function resultFinding(result: Result): NormalizedFinding | undefined {
  const record = fields(result);
  const said = label(record.statusWord) ?? label(record.status) ?? '';
  const status = STATUSES.get(said) ?? said.toUpperCase();
  if (status !== 'FAIL' && status !== 'WARN') return undefined;
  const title = text(record.title);
  const ruleId = label(record.plugin) ?? label(record.title) ?? 'unnamed plugin';
  const region = labels(record.region, 50).join(', ');
  const resource = resourceOf(record.resource);
  const message = text(record.message);
  const rated = label(record.severity);
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(title ?? message ?? ruleId),
    type: 'Cloud' as const,
    severity: severityFromWord(rated) ?? severityOf(status),
    nativeSeverity: rated ?? status,
    description: paragraphs(message, text(record.description), text(record.more_info)),
    mitigation: text(record.recommended_action),
    references: webAddresses(record.link),
    resource: resource ?? (region === '' ? undefined : region),
    policy: defined({
      name: title === undefined ? undefined : oneLine(title),
      category: label(record.category),
      control: ruleId,
    }),
    // One plugin says several things of one resource.
    fingerprint: message === undefined ? undefined : oneLine([region, resource, message].filter(Boolean).join(' ')),
    tags: region === '' ? undefined : [region],
  });
}

function severityOf(status: string): Severity {
  return status === 'FAIL' ? 'high' : 'medium';
}

function resourceOf(value: unknown): string | undefined {
  const resource = label(value);
  return resource === undefined || /^(?:n\/a|unknown)$/i.test(resource) ? undefined : resource;
}
