import { createHmac, randomUUID } from 'node:crypto';
import type { Json } from '@breakwater/sdk';
import type { FakeIssue, FakeRepository } from './state.ts';

/** What the server sends to the hooks of a repository: to which address, with which headers, the body as it is signed. */
function deliveriesOf({ hooks }: FakeRepository, event: string, content: Json) {
  const body = JSON.stringify(content);
  return hooks
    .filter(({ active, events }) => active && events.includes(event))
    .map(({ config: { url = '', secret = '' } }) => {
      const signature = createHmac('sha256', secret).update(body).digest('hex');
      const names = { 'x-github-event': event, 'x-github-delivery': randomUUID() };
      const headers = { 'content-type': 'application/json', ...names, 'x-hub-signature-256': `sha256=${signature}` };
      return { url, headers, body };
    });
}

const about = ({ id, owner, name }: FakeRepository) => ({ id, full_name: `${owner}/${name}` });

export async function pushDeliveries(repository: FakeRepository, branch: string) {
  const ref = `refs/heads/${branch}`;
  const after = (await (await repository.git()).resolve(ref)) ?? null;
  const content = { ref, before: '0'.repeat(40), after, deleted: false, repository: about(repository) };
  return deliveriesOf(repository, 'push', content);
}

/** After a pull request or an issue was closed, as it stands now. Source: GitHub, "Webhook events and payloads". */
export async function closedDeliveries(repository: FakeRepository, issue: FakeIssue) {
  const { number, state, head, base, isMerged = false, state_reason = null } = issue;
  const shared = { action: 'closed', repository: about(repository) };
  if (head === undefined || base === undefined)
    return deliveriesOf(repository, 'issues', { ...shared, issue: { number, state, state_reason } });
  const git = await repository.git();
  const end = async (ref: string) => ({
    ref,
    sha: (await git.resolve(`refs/heads/${ref}`)) ?? null,
    repo: about(repository),
  });
  const pullRequest = { number, state, merged: isMerged, head: await end(head), base: await end(base) };
  return deliveriesOf(repository, 'pull_request', { ...shared, number, pull_request: pullRequest });
}
