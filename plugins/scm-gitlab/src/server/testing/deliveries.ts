import { randomUUID } from 'node:crypto';
import type { Json } from '@breakwater/sdk';
import type { FakeProject, FakeThread } from './state.ts';

const NAMES = {
  push_events: 'Push Hook',
  merge_requests_events: 'Merge Request Hook',
  issues_events: 'Issue Hook',
} as const;

/** What the server sends to the hooks of a project: to which address, with which headers, the body. */
function deliveriesOf({ hooks, hookSecrets }: FakeProject, wanted: keyof typeof NAMES, content: Json) {
  const body = JSON.stringify(content);
  return [...hooks].flatMap(([id, { url, [wanted]: isWanted }]) => {
    if (isWanted !== true || typeof url !== 'string') return [];
    const names = {
      'x-gitlab-event': NAMES[wanted],
      'x-gitlab-event-uuid': randomUUID(),
      'idempotency-key': randomUUID(),
    };
    const token = hookSecrets.get(id) ?? '';
    return [{ url, headers: { 'content-type': 'application/json', ...names, 'x-gitlab-token': token }, body }];
  });
}

export async function pushDeliveries(project: FakeProject, branch: string) {
  const ref = `refs/heads/${branch}`;
  const after = (await (await project.git()).resolve(ref)) ?? null;
  const about = { project_id: project.id, project: { id: project.id, path_with_namespace: project.path } };
  const kind = { object_kind: 'push', event_name: 'push' };
  return deliveriesOf(project, 'push_events', { ...kind, ref, before: '0'.repeat(40), after, ...about });
}

/** After a merge request or an issue was merged or closed, as it stands now. Source: GitLab, "Webhook events". */
export async function closedDeliveries(project: FakeProject, { iid, state, source, target }: FakeThread) {
  const about = { id: project.id, path_with_namespace: project.path };
  const action = state === 'merged' ? 'merge' : 'close';
  if (source === '') {
    const content = { object_kind: 'issue', project: about, object_attributes: { iid, id: iid + 300, action, state } };
    return deliveriesOf(project, 'issues_events', content);
  }
  const id = (await (await project.git()).resolve(`refs/heads/${source}`)) ?? null;
  const ends = { source_branch: source, target_branch: target, last_commit: { id } };
  const projects = { source_project_id: project.id, target_project_id: project.id };
  const attributes = { iid, id: iid + 90, action, state, ...ends, ...projects };
  return deliveriesOf(project, 'merge_requests_events', {
    ...{ object_kind: 'merge_request', event_type: 'merge_request', project: about },
    object_attributes: attributes,
  });
}
