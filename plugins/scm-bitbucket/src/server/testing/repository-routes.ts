import { type Json, readAnswer, Type } from '@breakwater/sdk';
import type { GitCommit, TestAnswer, TestRequest, TreeChange } from '@breakwater/sdk/testing';
import { type Call, DATE, paged, refuse, repositoryJson } from './state.ts';

function commitJson({ hash, message, parents }: GitCommit): Json {
  return {
    type: 'commit',
    hash,
    message,
    date: DATE,
    parents: parents.map((parent) => ({ type: 'commit', hash: parent })),
  };
}

const branchJson = (name: string, hash: string): Json => ({ type: 'branch', name, target: { type: 'commit', hash } });

export const getRepository = (call: Call): TestAnswer => ({ json: repositoryJson(call.repository) });

export async function listBranches(call: Call): Promise<TestAnswer> {
  const branches = await (await call.repository.git()).branches();
  return paged(
    call.request,
    [...branches].map(([name, hash]) => branchJson(name, hash)),
  );
}

export async function getBranch(call: Call): Promise<TestAnswer> {
  const [name = ''] = call.parts;
  const hash = (await (await call.repository.git()).branches()).get(name);
  return hash === undefined ? refuse(404, `Branch "${name}" not found`) : { json: branchJson(name, hash) };
}

export async function getTag(call: Call): Promise<TestAnswer> {
  const [name = ''] = call.parts;
  const hash = await (await call.repository.git()).resolve(`refs/tags/${name}`);
  return hash === null
    ? refuse(404, `Tag "${name}" not found`)
    : { json: { type: 'tag', name, target: { type: 'commit', hash } } };
}

const NewBranch = Type.Object({ name: Type.String(), target: Type.Object({ hash: Type.String() }) });

export async function createBranch(call: Call): Promise<TestAnswer> {
  const git = await call.repository.git();
  const { name, target } = readAnswer(NewBranch, call.body);
  if ((await git.branches()).has(name)) return refuse(400, `Branch "${name}" already exists.`);
  const hash = await git.resolve(target.hash);
  if (hash === null) return refuse(400, `Commit ${target.hash} not found`);
  if (!(await git.setBranch(name, hash))) return refuse(400, 'The branch name is invalid.');
  return { status: 201, json: branchJson(name, hash) };
}

export async function listCommits(call: Call): Promise<TestAnswer> {
  const git = await call.repository.git();
  const { query } = call.request;
  const at = query.get('include') ?? call.repository.mainBranch ?? '';
  if ((await git.resolve(at)) === null) return refuse(404, 'Commit not found');
  const without = query.get('exclude');
  const log = await git.log(at, without === null ? {} : { without });
  return paged(call.request, log.map(commitJson));
}

export async function getCommit(call: Call): Promise<TestAnswer> {
  const git = await call.repository.git();
  const hash = await git.resolve(call.parts[0] ?? '');
  const [commit] = hash === null ? [] : await git.log(hash, { limit: 1 });
  return commit === undefined ? refuse(404, 'Commit not found') : { json: commitJson(commit) };
}

/** Raw bytes, or what is known of them with `?format=meta`. A name with a slash is no commit here. */
export async function getSource(call: Call): Promise<TestAnswer> {
  const git = await call.repository.git();
  const [at = '', ...rest] = call.parts;
  const [path = ''] = rest;
  const commit = await git.resolve(at);
  if (commit === null) return refuse(404, `Commit not found: ${at}`);
  const files = await git.listFiles(commit);
  const found = files.find((file) => file.path === path);
  const about = { path, commit: { type: 'commit', hash: commit } };
  if (found === undefined) {
    const isFolder = files.some((file) => file.path.startsWith(`${path}/`));
    return isFolder
      ? { json: { type: 'commit_directory', ...about } }
      : refuse(404, `No such file or directory: ${path}`);
  }
  const content = (await git.readBlob(found.blob)) ?? Buffer.alloc(0);
  if (call.request.query.get('format') !== 'meta') return { body: content };
  const attributes = found.mode === '100755' ? ['executable'] : [];
  return { json: { type: 'commit_file', ...about, size: content.byteLength, attributes } };
}

/** Parsed by Node's own reader of `multipart/form-data`. */
async function formOf({ headers, bytes }: TestRequest): Promise<FormData> {
  const answer = new Response(Buffer.from(bytes), { headers: { 'content-type': headers['content-type'] ?? '' } });
  return answer.formData();
}

export async function createCommit(call: Call): Promise<TestAnswer> {
  const git = await call.repository.git();
  const form = await formOf(call.request);
  const [branch, parent, message] = ['branch', 'parents', 'message'].map((name) => String(form.get(name) ?? ''));
  if (branch === undefined || message === undefined) return refuse(400, 'branch and message are missing');
  const head = (await git.branches()).get(branch);
  if (head === undefined) return refuse(400, `Branch ${branch} not found`);
  if (parent !== head) return refuse(409, 'The parent is not the head of the branch.');
  const changes: TreeChange[] = [];
  for (const [name, value] of form) {
    const path = name.replace(/^\//, '');
    if (typeof value === 'string') {
      if (name === 'files') changes.push({ path: value.replace(/^\//, ''), blob: null });
      continue;
    }
    // Node's reader keeps no attributes; what says them is looked for as it was sent.
    const isExecutable = Buffer.from(call.request.bytes).includes(
      `name="${name}"; filename="${value.name}"; x-attributes="executable"`,
    );
    const blob = await git.blob(new Uint8Array(await value.arrayBuffer()));
    changes.push({ path, blob, mode: isExecutable ? '100755' : '100644' });
  }
  const tree = await git.tree(head, changes);
  const hash = await git.commit({ tree, parents: [head], message });
  if (!(await git.setBranch(branch, hash, head))) return refuse(409, 'The branch has moved.');
  const { workspace, slug } = call.repository;
  return {
    status: 201,
    headers: { location: `https://api.bitbucket.org/2.0/repositories/${workspace}/${slug}/commit/${hash}` },
  };
}
