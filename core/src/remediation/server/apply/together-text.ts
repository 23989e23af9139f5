// no text in this file: a pull request is read by everybody who works in the repository, in English
import type { FixFacts } from '../../../findings/server/index.ts';
import { severityOfRank } from '../../../platform/model/severity.ts';
import { escapedLine, titleLine } from '../../model/issue-text.ts';
import type { Remediation } from '../remediation-store.ts';

interface Member {
  remediation: Pick<Remediation, 'title' | 'description'>;
  facts: Pick<FixFacts, 'title' | 'severity' | 'file' | 'startLine'>;
}

/** Providers take 65,536 characters of a description at most; names come before details. */
const MAX_NAMES = 20_000;
const MAX_DETAILS = 40_000;

/** As many lines as there is room for, and how many are left. */
const fitting = (lines: readonly string[], more: (count: number) => string): string => {
  let length = 0;
  const shown = lines.filter((line) => {
    length += line.length + 1;
    return length <= MAX_NAMES;
  });
  const left = lines.length - shown.length;
  return [...shown, ...(left === 0 ? [] : [more(left)])].join('\n');
};

const placeOf = ({ file, startLine }: Member['facts']): string =>
  file === null ? '' : ` in ${escapedLine(file)}${startLine === null ? '' : `:${startLine}`}`;

/** Title, names for the message of a commit and Markdown of a pull request of several fixes. Findings are named, and told in detail, as far as there is room. */
export const togetherText = (members: readonly Member[]): { title: string; names: string; description: string } => {
  const [first] = members;
  const title =
    members.length === 1 && first !== undefined ? first.remediation.title : `Fix ${members.length} findings`;
  const lines = members.map(({ remediation }) => `- ${titleLine(remediation.title)}`);
  const listed = members.map(
    ({ facts }) => `- **${severityOfRank(facts.severity)}** ${escapedLine(titleLine(facts.title))}${placeOf(facts)}`,
  );
  const details: string[] = [];
  let length = 0;
  const told = new Set<string>();
  for (const { remediation } of members) {
    const text = `## ${escapedLine(titleLine(remediation.title))}\n\n${remediation.description}`;
    // one change of several findings is told once
    if (told.has(text)) continue;
    told.add(text);
    length += text.length;
    if (length <= MAX_DETAILS) details.push(text);
  }
  const left = told.size - details.length;
  const rest = left === 0 ? [] : [`The details of ${left} more are in Breakwater.`];
  return {
    title,
    names: members.length === 1 ? '' : fitting(lines, (left) => `- and ${left} more`),
    description: [
      'These findings are fixed here:',
      fitting(listed, (left) => `- and ${left} more, which are in Breakwater.`),
      ...details,
      ...rest,
    ].join('\n\n'),
  };
};
