import { escapeText } from '@breakwater/sdk';
import { severityOfRank } from '../../platform/model/severity.ts';

/** What the text of an issue is made from. */
export interface IssueFacts {
  id: string;
  title: string;
  description: string | null;
  mitigation: string | null;
  references: string[] | null;
  severity: number;
  tool: string;
  ruleId: string;
  cve: string | null;
  cwe: readonly number[];
  file: string | null;
  startLine: number | null;
  component: string | null;
  componentVersion: string | null;
  fixedVersion: string | null;
}

const MAX_TITLE = 200;
const MAX_TEXT = 20_000;

/** One line of Markdown in which nothing of a report has a meaning. */
export const escapedLine = (text: string): string => escapeText('markdown', text.replaceAll(/[\p{Cc}\s]+/gu, ' '));

/** Text of a stranger as a block of Markdown that is shown as it is: the fence is longer than any in the text. */
export const quotedText = (text: string): string => {
  const runs = text.match(/`+/g) ?? [];
  const fence = '`'.repeat(Math.max(3, ...runs.map(({ length }) => length + 1)));
  return `${fence}text\n${text.slice(0, MAX_TEXT).trimEnd()}\n${fence}`;
};

/** A title of a report in one line. */
export const titleLine = (title: string): string =>
  title
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_TITLE) || 'Security finding';

/** Title and Markdown of an issue about a finding. What the report wrote cannot mention people, link or close anything. */
export const issueTextOf = (facts: IssueFacts): { title: string; description: string } => {
  const place = facts.file === null ? null : `${facts.file}${facts.startLine === null ? '' : `:${facts.startLine}`}`;
  const component = facts.component === null ? null : `${facts.component} ${facts.componentVersion ?? ''}`;
  const rows: [string, string | null][] = [
    ['Severity', severityOfRank(facts.severity)],
    ['Place', place],
    ['Package', component],
    ['Fixed in', facts.fixedVersion],
    ['Vulnerability', facts.cve],
    ['Weakness', facts.cwe.length === 0 ? null : facts.cwe.map((cwe) => `CWE-${cwe}`).join(', ')],
    ['Rule', `${facts.ruleId} (${facts.tool})`],
  ];
  const parts = [
    rows
      .flatMap(([name, value]) =>
        value === null || value.trim() === '' ? [] : [`- **${name}:** ${escapedLine(value)}`],
      )
      .join('\n'),
    ...(facts.description === null ? [] : ['### What was found', quotedText(facts.description)]),
    ...(facts.mitigation === null ? [] : ['### How to fix it', quotedText(facts.mitigation)]),
  ];
  return { title: titleLine(facts.title), description: parts.join('\n\n') };
};
