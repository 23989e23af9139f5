import type { FixFacts } from '../../../findings/server/index.ts';
import { severityOfRank } from '../../../platform/model/severity.ts';
import { escapedLine, titleLine } from '../../model/issue-text.ts';
import type { Remediation } from '../remediation-store.ts';

interface Member {
  remediation: Pick<Remediation, 'title' | 'description'>;
  facts: Pick<FixFacts, 'title' | 'severity' | 'file' | 'startLine'>;
}

/** Providers take 65,536 characters at most. */
const MAX_DETAILS = 40_000;

const placeOf = ({ file, startLine }: Member['facts']): string =>
  file === null ? '' : ` in ${escapedLine(file)}${startLine === null ? '' : `:${startLine}`}`;

/** Title, message and Markdown of a pull request of several fixes. All findings are named; details as far as there is room. */
export const togetherText = (members: readonly Member[]): { title: string; message: string; description: string } => {
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
    message: members.length === 1 ? title : `${title}\n\n${lines.join('\n')}`,
    description: ['These findings are fixed here:', listed.join('\n'), ...details, ...rest].join('\n\n'),
  };
};
