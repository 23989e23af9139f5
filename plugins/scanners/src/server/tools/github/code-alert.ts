import type { NormalizedFinding } from '@breakwater/sdk';
import { cweNumbers } from '../../lib/cwe.ts';
import { isoDate } from '../../lib/dates.ts';
import { identifiers, identifiersIn } from '../../lib/identifiers.ts';
import { normalisePath } from '../../lib/paths.ts';
import { defined, fields, label, labels, position, text } from '../../lib/read.ts';
import { webAddresses } from '../../lib/references.ts';
import { severityFromWord } from '../../lib/severity.ts';
import { oneLine, paragraphs } from '../../lib/text.ts';
import { typeOf } from '../sarif/classify.ts';
import { repositoryOf, said, suppressionOf } from './alerts.ts';

export function codeAlertFinding(alert: Record<string, unknown>): NormalizedFinding {
  const rule = fields(alert.rule);
  const instance = fields(alert.most_recent_instance);
  const location = fields(instance.location);
  const path = normalisePath(location.path);
  const toolName = label(fields(alert.tool).name) ?? '';
  const message = said(fields(instance.message).text);
  const summary = said(rule.description);
  const tags = [...labels(rule.tags, 50), ...labels(instance.classifications, 10)];
  const ruleId = said(rule.id) ?? said(rule.name) ?? summary ?? 'unnamed rule';
  const nativeSeverity = said(rule.security_severity_level) ?? said(rule.severity);
  return defined({
    kind: 'finding' as const,
    ruleId: oneLine(ruleId),
    title: oneLine(summary ?? message ?? said(rule.name) ?? ruleId),
    type: typeOf({ toolName, ruleId, tags, hasComponent: false }),
    severity: severityFromWord(nativeSeverity) ?? 'informational',
    nativeSeverity: label(nativeSeverity),
    description: paragraphs(message, said(rule.full_description)),
    mitigation: text(rule.help),
    cwe: cweNumbers(tags),
    ...identifiers(...identifiersIn(ruleId)),
    references: webAddresses(alert.html_url, rule.help_uri),
    locations: path === undefined ? undefined : [placeOf(path, location)],
    // The alert's number stays its own, wherever the code moves.
    fingerprint: label(alert.html_url) ?? label(alert.url),
    resource: repositoryOf(alert.repository),
    suppressed: suppressionOf({ state: alert.state, reason: alert.dismissed_reason, comment: alert.dismissed_comment }),
    date: isoDate(alert.created_at),
    tags: tags.length === 0 ? undefined : [...new Set(tags)],
    language: /^\/language:([\w+#-]+)$/.exec(label(instance.category) ?? '')?.[1]?.toLowerCase(),
  });
}

export function placeOf(path: string, location: Record<string, unknown>) {
  return defined({
    path,
    startLine: position(location.start_line),
    endLine: position(location.end_line),
    startColumn: position(location.start_column),
    endColumn: position(location.end_column),
  });
}
