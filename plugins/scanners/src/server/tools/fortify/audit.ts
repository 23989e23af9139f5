import type { NormalizedFinding } from '@breakwater/sdk';
import { label, text } from '../../lib/read.ts';
import type { XmlElement, XmlShape } from '../../lib/xml-records.ts';
import { readXml } from '../../lib/xml-records.ts';

/** What people decided, by the id of the issue. */
export type Audit = ReadonlyMap<string, NormalizedFinding['suppressed']>;

/** Id of the tag "Analysis", the same on every server. */
const ANALYSIS = '87f2364f-dcd4-49e6-861d-f8d3f351686b';
const AUDIT: XmlShape = { root: 'Audit', namespace: '', records: ['IssueList/Issue'], tool: 'Fortify' };

/** Reads `audit.xml` of an FPR. @throws ReportError */
export async function readAudit(bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Audit> {
  const found = new Map<string, NormalizedFinding['suppressed']>();
  for await (const { element } of readXml(bytes, AUDIT, signal)) {
    const id = label(element.attributes.get('instanceId'));
    const analysis = element.all('Tag').find((tag) => tag.attributes.get('id')?.toLowerCase() === ANALYSIS);
    const isSuppressed = element.attributes.get('suppressed') === 'true';
    const suppressed = suppressionOf({
      isSuppressed,
      analysis: analysis?.textOf('Value'),
      comment: commentOf(element),
    });
    if (id !== undefined && suppressed !== undefined) found.set(id, suppressed);
  }
  return found;
}

function commentOf(element: XmlElement): string | undefined {
  const comments = element.child('ThreadedComments')?.all('Comment') ?? [];
  return text(comments.at(-1)?.textOf('Content'), 2_000);
}

/** "Not an Issue" says more than that the issue is hidden. */
export function suppressionOf(issue: {
  isSuppressed: boolean;
  analysis: string | undefined;
  comment: string | undefined;
}): NormalizedFinding['suppressed'] {
  const isNone = /^(?:\d\s*-\s*)?(?:not an issue|false positive)$/i.test(issue.analysis ?? '');
  if (!issue.isSuppressed && !isNone) return undefined;
  const reason = issue.comment ?? (isNone ? 'Not an issue' : 'Suppressed in Fortify');
  return { verdict: isNone ? 'false_positive' : 'accepted_risk', reason };
}
