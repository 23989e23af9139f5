import { createHash } from 'node:crypto';
import { type Json, readAnswer, type Static, Type } from '@breakwater/sdk';
import type { BareRepository, GitCommit, TestAnswer, TreeChange } from '@breakwater/sdk/testing';
import { addressOf, type Call, DATE, forbidden, notFound, paged, refuse, text } from './state.ts';

function commitJson({ project }: Call, { hash, message, parents }: GitCommit): Json {
  return {
    id: hash,
    short_id: hash.slice(0, 8),
    title: message.split('\n')[0] ?? '',
    message,
    author_name: 'Ada Fake',
    author_email: 'ada@example.com',
    created_at: DATE,
    parent_ids: [...parents],
    web_url: `${addressOf(project)}/-/commit/${hash}`,
  };
}

async function branchJson(call: Call, repository: BareRepository, name: string): Promise<Json> {
  const [commit] = await repository.log(`refs/heads/${name}`, { limit: 1 });
  const isProtected = call.project.protectedBranches.length > 0 && name === call.project.defaultBranch;
  return {
    name,
    merged: false,
    protected: isProtected,
    default: name === call.project.defaultBranch,
    developers_can_push: false,
    developers_can_merge: false,
    can_push: true,
    web_url: `${addressOf(call.project)}/-/tree/${encodeURIComponent(name)}`,
    commit: commit === undefined ? null : commitJson(call, commit),
  };
}

export async function listBranches(call: Call): Promise<TestAnswer> {
  const repository = await call.project.git();
  const names = [...(await repository.branches()).keys()];
  const page = paged(call.request, names);
  const shown = readAnswer(Type.Array(Type.String()), page.json ?? []);
  return { ...page, json: await Promise.all(shown.map((name) => branchJson(call, repository, name))) };
}

export async function getBranch(call: Call): Promise<TestAnswer> {
  const repository = await call.project.git();
  const [name = ''] = call.parts;
  if (!(await repository.branches()).has(name)) return notFound('Branch');
  return { json: await branchJson(call, repository, name) };
}

export async function createBranch(call: Call): Promise<TestAnswer> {
  const repository = await call.project.git();
  const [branch, ref] = [text(call.body, 'branch'), text(call.body, 'ref')];
  if ((await repository.branches()).has(branch)) return refuse(400, 'Branch already exists');
  const commit = await repository.resolve(ref);
  if (commit === null) return refuse(400, `Invalid reference name: ${ref}`);
  if (!(await repository.setBranch(branch, commit))) return refuse(400, 'Branch name is invalid');
  return { status: 201, json: await branchJson(call, repository, branch) };
}

export async function listCommits(call: Call): Promise<TestAnswer> {
  const repository = await call.project.git();
  const [from, to] = (call.request.query.get('ref_name') ?? '').split('..');
  const [at, without] = to === undefined ? [from ?? '', undefined] : [to, from];
  if ((await repository.resolve(at)) === null) return notFound('Commit');
  const log = await repository.log(at, without === undefined ? {} : { without });
  return paged(
    call.request,
    log.map((commit) => commitJson(call, commit)),
  );
}

export async function getCommit(call: Call): Promise<TestAnswer> {
  const repository = await call.project.git();
  const hash = await repository.resolve(call.parts[0] ?? '');
  const [commit] = hash === null ? [] : await repository.log(hash, { limit: 1 });
  return commit === undefined ? notFound('Commit') : { json: commitJson(call, commit) };
}

const Actions = Type.Array(
  Type.Object({
    action: Type.Unsafe<'create' | 'update' | 'delete'>({ enum: ['create', 'update', 'delete'] }),
    file_path: Type.String({ minLength: 1 }),
    content: Type.Optional(Type.String()),
    encoding: Type.Optional(Type.Literal('base64')),
  }),
  { minItems: 1 },
);

export async function createCommit(call: Call): Promise<TestAnswer> {
  const repository = await call.project.git();
  const branch = text(call.body, 'branch');
  const head = (await repository.branches()).get(branch);
  if (head === undefined) return refuse(400, 'You can only create or edit files when you are on a branch');
  const isProtected = branch === call.project.defaultBranch && call.project.protectedBranches.length > 0;
  if (isProtected && call.project.role < 40) return forbidden('You are not allowed to push into this branch');
  const changes: TreeChange[] = [];
  for (const action of readAnswer(Actions, call.body.get('actions') ?? null)) {
    const change = await changeOf(repository, head, action);
    if (typeof change === 'string') return refuse(400, change);
    changes.push(change);
  }
  const tree = await repository.tree(head, changes);
  const hash = await repository.commit({ tree, parents: [head], message: text(call.body, 'commit_message') });
  if (!(await repository.setBranch(branch, hash, head))) return refuse(400, 'Could not update branch. Please refresh');
  const [commit] = await repository.log(hash, { limit: 1 });
  return { status: 201, json: commit === undefined ? null : commitJson(call, commit) };
}

/** GitLab's own words where the action does not fit what is there. */
async function changeOf(repository: BareRepository, head: string, action: Static<typeof Actions>[number]) {
  const { action: kind, file_path: path, content = '' } = action;
  if (path.split('/').includes('..')) return 'Path cannot include directory traversal';
  const present = await repository.readFile(head, path);
  if (kind === 'create' && present !== null) return 'A file with this name already exists';
  if (kind !== 'create' && present === null) return "A file with this name doesn't exist";
  const bytes = Buffer.from(content, action.encoding ?? 'utf8');
  const mode = (await repository.listFiles(head)).find((file) => file.path === path)?.mode ?? '100644';
  return { path, mode, blob: kind === 'delete' ? null : await repository.blob(bytes) };
}

export async function getFile(call: Call): Promise<TestAnswer> {
  const repository = await call.project.git();
  const ref = call.request.query.get('ref') ?? '';
  const commit = await repository.resolve(ref);
  if (commit === null) return notFound('Commit');
  const [path = ''] = call.parts;
  const file = await repository.readFile(commit, path);
  if (file === null) return notFound('File');
  const hash = createHash('sha256').update(file.content).digest('hex');
  if (call.request.method === 'HEAD') return { headers: { 'x-gitlab-content-sha256': hash } };
  return {
    json: {
      file_name: path.slice(path.lastIndexOf('/') + 1),
      file_path: path,
      size: file.content.byteLength,
      encoding: 'base64',
      content: file.content.toString('base64'),
      content_sha256: hash,
      ref,
      blob_id: file.blob,
      commit_id: commit,
      last_commit_id: commit,
    },
  };
}
