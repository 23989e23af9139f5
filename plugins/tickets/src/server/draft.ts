import type { TicketDraft, TicketValues } from '@breakwater/sdk';
import type { Settings } from './flavour.ts';

/** Severity to priority, as new sites of Jira have them. */
const PRIORITIES: Readonly<Record<string, string>> = {
  critical: 'Highest',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
  informational: 'Lowest',
};

const MAX_SUMMARY = 250;
/** Jira takes 32,767 characters; each sign of Markdown may become two of wiki text. */
const MAX_DESCRIPTION = 15_000;

/** One line in which nothing of a report has a meaning in Markdown. */
const plain = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .replaceAll(/[\\`*_{}[\]<>#|~@!&]/g, '\\$&')
    .trim();

const FACTS: readonly [string, (values: TicketValues) => string][] = [
  ['Severity', (values) => values['finding.severity']],
  ['Repository', (values) => `${values['repository.name']} (${values['repository.branch']})`],
  ['Place', (values) => [values['finding.file'], values['finding.line']].filter((part) => part !== '').join(':')],
  ['Package', (values) => `${values['finding.component']} ${values['finding.component_version']}`.trim()],
  ['Fixed in', (values) => values['finding.fixed_version']],
  ['Vulnerability', (values) => values['finding.cve']],
  ['Weakness', (values) => values['finding.cwe']],
  ['Rule', (values) => `${values['finding.rule']} (${values['finding.tool']})`],
];

function descriptionOf(values: TicketValues): string {
  const facts = FACTS.flatMap(([name, read]) => {
    const value = plain(read(values));
    return value === '' ? [] : [`- **${name}:** ${value}`];
  });
  const url = values['finding.url'];
  const link = url === '' ? [] : [`[Open the finding in Breakwater](${url})`];
  const proposal = values['remediation.reference_url'];
  const fix = proposal === '' ? [] : [`[The fix that was opened](${proposal})`];
  const text = values['remediation.description'].trim();
  return [facts.join('\n'), ...link, ...fix, ...(text === '' ? [] : [text])].join('\n\n').slice(0, MAX_DESCRIPTION);
}

/** What an issue will say: `description` in Markdown, `labels` separated by commas. Pure. */
export function draftOf({ project, issue_type, priorities = {} }: Settings, values: TicketValues): TicketDraft {
  const severity = values['finding.severity'];
  const priority = priorities[severity] ?? PRIORITIES[severity];
  const summary = values['remediation.title'].replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
  return {
    project,
    type: issue_type,
    summary: summary.slice(0, MAX_SUMMARY) || 'Security finding',
    ...(priority === undefined ? {} : { priority }),
    labels: 'breakwater, security',
    description: descriptionOf(values),
  };
}
