import { expect } from 'vitest';
import type { ChangeFix, FixComponent, FixFinding, FixPlan, RepositoryFile } from '../remediation/model/fix.ts';
import { planFix } from '../remediation/server/fixes/plan-fix.ts';

/** A finding of a vulnerable package. */
export const finding = (id: string, component: Partial<FixComponent> & { name: string }, file = ''): FixFinding => ({
  id,
  tool: 'grype',
  ruleId: `CVE-2024-${id}`,
  title: 'A flaw',
  type: 'SCA',
  cve: `CVE-2024-${id}`,
  file,
  startLine: null,
  endLine: null,
  resource: null,
  component: { version: null, fixedVersion: null, purl: null, ecosystem: 'npm', ...component },
});

export const plan = (
  own: FixFinding,
  files: Readonly<Record<string, string>>,
  ...related: FixFinding[]
): Promise<FixPlan> =>
  planFix({
    finding: own,
    related,
    files: Object.entries(files).map(([path, content]): RepositoryFile => ({ path, content })),
  });

/** The change that is planned; throws where there is none. */
export const change = async (...request: Parameters<typeof plan>): Promise<ChangeFix> => {
  const answer = await plan(...request);
  if (answer.kind !== 'change') throw new Error(JSON.stringify(answer));
  return answer;
};

/** The file after the change; the text before it must be the one that was given. */
export const after = async (
  own: FixFinding,
  path: string,
  content: string,
  others: Record<string, string> = {},
): Promise<string> => {
  const answer = await change(own, { [path]: content, ...others });
  expect(answer.changes.map((edit) => [edit.path, edit.before])).toEqual([[path, content]]);
  return answer.changes[0]?.after ?? '';
};
