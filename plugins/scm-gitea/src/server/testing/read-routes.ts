import type { Json } from '@breakwater/sdk';
import type { GitCommit, TestAnswer } from '@breakwater/sdk/testing';
import { account, addressOf, type FakeRepository, page, type RepositoryCall, type Route, refusal } from './state.ts';

const of = (path: string): RegExp => new RegExp(`^/repos/([^/]+)/([^/]+)${path}$`);

/** What reads. Source: Gitea API 1.22. */
export const READ_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: /^\/user$/,
    of: 'account',
    scope: 'read:user',
    shape: 'User',
    answer: ({ known }) => ({ json: account(known.login) }),
  },
  {
    method: 'GET',
    path: /^\/repos\/search$/,
    of: 'account',
    scope: 'read:repository',
    shape: 'Repository',
    isList: 'data',
    answer: (call) => {
      if (call.request.query.get('uid') !== '7') return refusal(422, 'everybody was asked for');
      return page(call, call.known.repositories.map(repositoryRow), (data) => ({ ok: true, data }));
    },
  },
  {
    method: 'GET',
    path: /^\/repositories\/(\d+)$/,
    of: 'account',
    scope: 'read:repository',
    shape: 'Repository',
    answer: ({ known, parts }) => {
      const repository = known.repositories.find(({ id }) => String(id) === parts[0]);
      return repository === undefined
        ? refusal(404, "The target couldn't be found.")
        : { json: repositoryRow(repository) };
    },
  },
  {
    method: 'GET',
    path: of('/branches'),
    of: 'repository',
    shape: 'Branch',
    isList: '',
    answer: async (call) => {
      const branches = [...(await (await call.repository.git()).branches())];
      return page(
        call,
        branches.map(([name, id]) => branchRow(call.repository, name, id)),
      );
    },
  },
  {
    method: 'GET',
    path: of('/branches/(.+)'),
    of: 'repository',
    shape: 'Branch',
    answer: async ({ repository, parts: [name = ''] }) => {
      const id = (await (await repository.git()).branches()).get(name);
      return id === undefined ? refusal(404, 'branch does not exist') : { json: branchRow(repository, name, id) };
    },
  },
  {
    method: 'GET',
    path: of('/tags/(.+)'),
    of: 'repository',
    answer: async ({ repository, parts: [name = ''] }) => {
      const sha = await (await repository.git()).resolve(`refs/tags/${name}`);
      return sha === null ? refusal(404, "The target couldn't be found.") : { json: { name, commit: { sha } } };
    },
  },
  {
    method: 'GET',
    path: of('/keys'),
    of: 'repository',
    role: 'admin',
    shape: 'DeployKey',
    isList: '',
    answer: (call) => page(call, call.repository.keys),
  },
  {
    method: 'GET',
    path: of('/commits'),
    of: 'repository',
    shape: 'Commit',
    isList: '',
    answer: async (call) => {
      const [sha, not] = [call.request.query.get('sha') ?? 'main', call.request.query.get('not')];
      const git = await call.repository.git();
      if ((await git.resolve(sha)) === null) return refusal(404, "The target couldn't be found.");
      const log = await git.log(sha, not === null ? {} : { without: not });
      return page(call, log.map(commitRow));
    },
  },
  { method: 'GET', path: of('/raw/(.+)'), of: 'repository', answer: raw },
  { method: 'GET', path: of('/contents/(.+)'), of: 'repository', answer: contents },
];

function repositoryRow(repository: FakeRepository): Json {
  const { id, owner, name, isEmpty, isArchived, hasIssues, permissions } = repository;
  return {
    id,
    name,
    full_name: `${owner}/${name}`,
    owner: account(owner),
    html_url: addressOf(repository),
    clone_url: `${addressOf(repository)}.git`,
    ssh_url: `git@gitea.example.com:${owner}/${name}.git`,
    default_branch: isEmpty ? '' : 'main',
    private: true,
    archived: isArchived,
    empty: isEmpty,
    fork: false,
    has_issues: hasIssues,
    permissions: { ...permissions },
  };
}

export function branchRow({ protection, permissions }: FakeRepository, name: string, id: string): Json {
  const isProtected = name === 'main' && protection !== null;
  return {
    name,
    commit: { id, message: 'Change', url: '', timestamp: '2026-01-09T02:02:12Z' },
    protected: isProtected,
    required_approvals: isProtected ? Number(protection['required_approvals'] ?? 0) : 0,
    effective_branch_protection_name: isProtected && permissions.admin ? 'main' : '',
    user_can_push: permissions.push,
  };
}

function commitRow({ hash, tree, message }: GitCommit): Json {
  return { sha: hash, commit: { message, tree: { sha: tree } } };
}

/** Text of any kind is sent as plain text. */
async function raw({ request, repository, parts: [path = ''] }: RepositoryCall): Promise<TestAnswer> {
  const file = await (await repository.git()).readFile(request.query.get('ref') ?? 'main', path);
  if (file === null) return refusal(404, "The target couldn't be found.");
  const type = file.content.includes(0) ? 'application/octet-stream' : 'text/plain; charset=utf-8';
  return { body: file.content, headers: { 'content-type': type } };
}

async function contents({ request, repository, parts: [path = ''] }: RepositoryCall): Promise<TestAnswer> {
  const git = await repository.git();
  const at = request.query.get('ref') ?? 'main';
  if ((await git.resolve(at)) === null) return refusal(404, "The target couldn't be found.");
  const files = await git.listFiles(at);
  const row = (name: string, type: string, sha: string): Json => ({
    name: name.split('/').at(-1) ?? '',
    path: name,
    type,
    sha,
  });
  const file = files.find((one) => one.path === path);
  if (file !== undefined) return { json: row(path, file.mode === '120000' ? 'symlink' : 'file', file.blob) };
  const inside = files.filter((one) => one.path.startsWith(`${path}/`));
  if (inside.length === 0) return refusal(404, "The target couldn't be found.");
  const direct = inside.filter((one) => !one.path.slice(path.length + 1).includes('/'));
  return { json: direct.map((one) => row(one.path, 'file', one.blob)) };
}
