import { createHmac, randomUUID } from 'node:crypto';
import { type Json, readAnswer, Type } from '@breakwater/sdk';
import type { FakeRepository, FakeThread } from './state.ts';

const Kept = Type.Object({ url: Type.String(), active: Type.Boolean(), events: Type.Array(Type.String()) });

/** What the server sends to the hooks of a repository: to which address, with which headers, the body as it is signed. */
function deliveriesOf({ hooks, hookSecrets }: FakeRepository, event: string, content: Json) {
  const body = JSON.stringify(content);
  return [...hooks].flatMap(([uuid, hook]) => {
    const { url, active, events } = readAnswer(Kept, hook);
    if (!active || !events.includes(event)) return [];
    const signature = createHmac('sha256', hookSecrets.get(uuid) ?? '')
      .update(body)
      .digest('hex');
    const names = { 'x-event-key': event, 'x-request-uuid': randomUUID(), 'x-hook-uuid': uuid };
    const headers = { 'content-type': 'application/json', ...names, 'x-hub-signature': `sha256=${signature}` };
    return [{ url, headers, body }];
  });
}

const about = ({ uuid, workspace, slug }: FakeRepository) => ({ uuid, full_name: `${workspace}/${slug}` });

export async function pushDeliveries(repository: FakeRepository, branch: string) {
  const hash = (await (await repository.git()).resolve(`refs/heads/${branch}`)) ?? null;
  const after = { type: 'branch', name: branch, target: { hash } };
  return deliveriesOf(repository, 'repo:push', { repository: about(repository), push: { changes: [{ new: after }] } });
}

/** After a pull request was merged or declined, or an issue resolved, as it stands now. Source: Bitbucket Cloud, "Event payloads". */
export async function closedDeliveries(repository: FakeRepository, { id, state, source, target }: FakeThread) {
  const shared = { repository: about(repository) };
  if (source === '') {
    const changes = { status: { old: 'new', new: state } };
    return deliveriesOf(repository, 'issue:updated', { ...shared, issue: { id, state }, changes });
  }
  const git = await repository.git();
  const end = async (name: string) => {
    const hash = (await git.resolve(`refs/heads/${name}`))?.slice(0, 12) ?? null;
    return { branch: { name }, commit: { hash }, repository: about(repository) };
  };
  const pullrequest = { id, state, source: await end(source), destination: await end(target) };
  const event = state === 'MERGED' ? 'pullrequest:fulfilled' : 'pullrequest:rejected';
  return deliveriesOf(repository, event, { ...shared, pullrequest });
}
