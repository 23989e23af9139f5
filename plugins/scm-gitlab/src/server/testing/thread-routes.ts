import type { Json } from '@breakwater/sdk';
import type { TestAnswer } from '@breakwater/sdk/testing';
import {
  addressOf,
  type Call,
  DATE,
  type FakeNote,
  type FakeThread,
  forbidden,
  notFound,
  paged,
  refuse,
  text,
  userJson,
} from './state.ts';

type Kind = 'merge_requests' | 'issues';

function threadJson({ project }: Call, kind: Kind, thread: FakeThread): Json {
  const common = {
    id: 1000 + thread.iid,
    iid: thread.iid,
    project_id: project.id,
    title: thread.title,
    description: thread.description,
    state: thread.state,
    created_at: DATE,
    updated_at: DATE,
    web_url: `${addressOf(project)}/-/${kind}/${thread.iid}`,
    author: userJson(thread.author),
  };
  if (kind === 'issues') return { ...common, labels: [...thread.labels] };
  return {
    ...common,
    source_branch: thread.source,
    target_branch: thread.target,
    source_project_id: project.id,
    target_project_id: project.id,
    draft: false,
    sha: '0'.repeat(40),
  };
}

const threadsOf = ({ project }: Call, kind: Kind): FakeThread[] =>
  kind === 'issues' ? project.issues : project.mergeRequests;

/** Newest first. `state` and `scope` as GitLab reads them: without them only open ones, of everybody. */
export const listThreads =
  (kind: Kind) =>
  (call: Call): TestAnswer => {
    const { query } = call.request;
    const isAsked = (thread: FakeThread): boolean =>
      (query.get('scope') !== 'created_by_me' || thread.author === 1) &&
      (query.get('state') === 'all' || thread.state === 'opened') &&
      (query.get('source_branch') ?? thread.source) === thread.source &&
      (query.get('target_branch') ?? thread.target) === thread.target;
    const found = threadsOf(call, kind).filter(isAsked).toReversed();
    return paged(
      call.request,
      found.map((thread) => threadJson(call, kind, thread)),
    );
  };

export const getThread =
  (kind: Kind) =>
  (call: Call): TestAnswer => {
    const found = threadsOf(call, kind).find(({ iid }) => String(iid) === call.parts[0]);
    return found === undefined ? notFound() : { json: threadJson(call, kind, found) };
  };

function addThread(call: Call, kind: Kind, { source, target }: Pick<FakeThread, 'source' | 'target'>): TestAnswer {
  const threads = threadsOf(call, kind);
  const labels = text(call.body, 'labels')
    .split(',')
    .filter((label) => label !== '');
  const [title, description] = [text(call.body, 'title'), text(call.body, 'description')];
  if (title === '' || title.length > 255) return refuse(400, { title: ["can't be blank or too long"] });
  const thread = {
    iid: threads.length + 1,
    author: 1,
    title,
    description,
    state: 'opened',
    labels,
    source,
    target,
  } as const;
  threads.push({ ...thread });
  return { status: 201, json: threadJson(call, kind, thread) };
}

export async function createMergeRequest(call: Call): Promise<TestAnswer> {
  const [source, target] = [text(call.body, 'source_branch'), text(call.body, 'target_branch')];
  const branches = await (await call.project.git()).branches();
  const missing = [source, target].filter((name) => !branches.has(name));
  if (missing.length > 0) return refuse(400, { base: [`Branch ${missing.join(', ')} does not exist`] });
  const open = call.project.mergeRequests.find(
    (one) => one.state === 'opened' && one.source === source && one.target === target,
  );
  if (open) return refuse(409, [`Another open merge request already exists for this source branch: !${open.iid}`]);
  return addThread(call, 'merge_requests', { source, target });
}

export function createIssue(call: Call): TestAnswer {
  return call.project.issuesEnabled ? addThread(call, 'issues', { source: '', target: '' }) : forbidden();
}

function noteJson({ project }: Call, note: FakeNote): Json {
  return {
    id: note.id,
    body: note.body,
    attachment: null,
    author: userJson(note.author),
    created_at: DATE,
    updated_at: DATE,
    system: false,
    noteable_id: 1000 + note.iid,
    noteable_type: 'MergeRequest',
    noteable_iid: note.iid,
    project_id: project.id,
    resolvable: false,
  };
}

export function listNotes(call: Call): TestAnswer {
  const notes = call.project.notes.filter(({ iid }) => String(iid) === call.parts[0]).toReversed();
  return paged(
    call.request,
    notes.map((note) => noteJson(call, note)),
  );
}

export function createNote(call: Call): TestAnswer {
  const iid = Number(call.parts[0]);
  const note = { id: call.gitlab.nextId(), author: 1, iid, body: text(call.body, 'body') };
  call.project.notes.push(note);
  return { status: 201, json: noteJson(call, note) };
}

export function updateNote(call: Call): TestAnswer {
  const note = call.project.notes.find(({ id }) => String(id) === call.parts[1]);
  if (note === undefined) return notFound();
  if (note.author !== 1) return forbidden();
  note.body = text(call.body, 'body');
  return { json: noteJson(call, note) };
}

export function listStatuses(call: Call): TestAnswer {
  const name = call.request.query.get('name');
  const found = call.project.statuses.filter(
    (one) => one.sha === call.parts[0] && (name === null || one.name === name),
  );
  return paged(
    call.request,
    found.map(({ fields }) => fields),
  );
}

const FINISHED = new Set(['success', 'failed', 'canceled']);

/** A status that is not finished is changed, a finished one gets a successor; pending can not become pending. */
export async function createStatus(call: Call): Promise<TestAnswer> {
  const [sha = ''] = call.parts;
  if ((await (await call.project.git()).resolve(sha)) !== sha) return notFound('Commit');
  const [state, name] = [text(call.body, 'state'), text(call.body, 'name')];
  const index = call.project.statuses.findLastIndex((one) => one.sha === sha && one.name === name);
  const last = call.project.statuses[index];
  const lastState = last === undefined ? '' : (JSON.stringify(last.fields).match(/"status":"(\w+)"/)?.[1] ?? '');
  const isOpen = last !== undefined && !FINISHED.has(lastState);
  if (isOpen && state === 'pending') {
    return refuse(
      400,
      'Cannot transition status via :enqueue from :pending (Reason(s): Status cannot transition via "enqueue")',
    );
  }
  const id = isOpen ? last.id : call.gitlab.nextId();
  const fields = {
    id,
    sha,
    ref: 'main',
    status: state,
    name,
    target_url: text(call.body, 'target_url') || null,
    description: text(call.body, 'description') || null,
    created_at: DATE,
    started_at: null,
    finished_at: null,
    allow_failure: false,
    author: userJson(1),
  };
  if (isOpen) call.project.statuses.splice(index, 1);
  call.project.statuses.push({ id, sha, name, fields });
  return { status: 201, json: fields };
}
