import type { Json } from '@breakwater/sdk';
import type { GitCommit, TestAnswer } from '@breakwater/sdk/testing';
import {
  account,
  addressOf,
  type FakeRepository,
  type Known,
  page,
  type RepositoryCall,
  type Route,
  refusal,
} from './state.ts';

const of = (path: string): RegExp => new RegExp(`^/repositories/(\\d+)${path}$`);

/** What reads. Source: GitHub REST API, version 2022-11-28. */
export const READ_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: /^\/user$/,
    of: 'account',
    shape: 'user',
    answer: ({ known }) => ({ json: { login: known.login, id: 1, type: 'User', email: null } }),
  },
  {
    method: 'GET',
    path: /^\/user\/installations$/,
    of: 'account',
    shape: 'installation',
    isList: 'installations',
    answer: ({ known, request }) => {
      if (!known.isOfApp) {
        return refusal(
          403,
          'You must authenticate with an access token authorized to a GitHub App in order to list installations',
        );
      }
      const all = known.installations.map(installation);
      return page(request, all, (rows) => ({ total_count: all.length, installations: rows }));
    },
  },
  {
    method: 'GET',
    path: /^\/user\/installations\/(\d+)\/repositories$/,
    of: 'account',
    shape: 'installation-repository',
    isList: 'repositories',
    answer: ({ known, request, parts }) => {
      if (!known.installations.some(({ id }) => String(id) === parts[0])) return refusal(404, 'Not Found');
      const all = known.repositories.map(row);
      return page(request, all, (rows) => ({ total_count: all.length, repositories: rows }));
    },
  },
  {
    method: 'GET',
    path: /^\/orgs\/([^/]+)\/members$/,
    of: 'account',
    shape: 'member',
    isList: '',
    answer: ({ known, request }) => {
      const owners = known.ownersWithoutTwoFactor;
      if (owners === null) return refusal(422, 'Only owners can use this filter.');
      return page(request, owners.map(account));
    },
  },
  {
    method: 'GET',
    path: /^\/repos\/([^/]+\/[^/]+)\/commits\/((?:tags|heads)\/.+)$/,
    of: 'account',
    answer: async ({ known, parts: [name, ref = ''] }) => {
      const repository = known.repositories.find((one) => `${one.owner}/${one.name}` === name);
      if (repository === undefined) return refusal(404, 'Not Found');
      const sha = await (await repository.git()).resolve(`refs/${ref}`);
      return sha === null ? refusal(422, `No commit found for SHA: ${ref}`) : { body: Buffer.from(sha) };
    },
  },
  {
    method: 'GET',
    path: of(''),
    of: 'repository',
    shape: 'repository',
    answer: ({ repository }) => ({ json: whole(repository) }),
  },
  {
    method: 'GET',
    path: of('/branches'),
    of: 'repository',
    shape: 'branch',
    isList: '',
    answer: async ({ request, repository }) => {
      const branches = [...(await (await repository.git()).branches())];
      return page(
        request,
        branches.map(([name, sha]) => ({
          name,
          commit: { sha, url: `https://api.github.com/commits/${sha}` },
          protected: name === 'main' && isProtected(repository),
        })),
      );
    },
  },
  {
    method: 'GET',
    path: of('/branches/([^/]+)'),
    of: 'repository',
    shape: 'branch-with-protection',
    answer: async ({ repository, parts: [name = ''] }) => {
      const sha = (await (await repository.git()).branches()).get(name);
      if (sha === undefined) return refusal(404, 'Branch not found');
      return { json: { name, commit: { sha }, protected: name === 'main' && isProtected(repository) } };
    },
  },
  { method: 'GET', path: of('/contents/(.+)'), of: 'repository', needs: ['contents', 'read'], answer: contents },
  {
    method: 'GET',
    path: of('/git/ref/heads/(.+)'),
    of: 'repository',
    shape: 'ref',
    answer: async ({ repository, parts: [name = ''] }) => {
      const branches = await (await repository.git()).branches();
      const sha = branches.get(name);
      if (branches.size === 0) return refusal(409, 'Git Repository is empty.');
      return sha === undefined ? refusal(404, 'Not Found') : { json: reference(name, sha) };
    },
  },
  {
    method: 'GET',
    path: of('/commits'),
    of: 'repository',
    shape: 'commit',
    isList: '',
    answer: async ({ request, repository }) => {
      const log = await (await repository.git()).log(request.query.get('sha') ?? 'main', { limit: 300 });
      return page(request, log.map(commitRow));
    },
  },
  {
    method: 'GET',
    path: of('/compare/([0-9a-f]{40})\\.\\.\\.([0-9a-f]{40})'),
    of: 'repository',
    shape: 'comparison',
    answer: async ({ repository, parts: [base = '', head = ''] }) => {
      const git = await repository.git();
      const ahead = await git.log(head, { without: base });
      const behind = await git.log(base, { without: head });
      const status =
        ahead.length > 0 ? (behind.length > 0 ? 'diverged' : 'ahead') : behind.length > 0 ? 'behind' : 'identical';
      const counts = { ahead_by: ahead.length, behind_by: behind.length, total_commits: ahead.length };
      return { json: { status, ...counts, commits: ahead.toReversed().slice(0, 250).map(commitRow) } };
    },
  },
  {
    method: 'GET',
    path: of('/rules/branches/([^/]+)'),
    of: 'repository',
    answer: ({ request, repository: { settings } }) => {
      const own = settings.rulesets.filter(({ enforcement }) => enforcement === 'active');
      return page(request, [...settings.rules, ...own.flatMap(({ rules }) => rules)]);
    },
  },
  {
    method: 'GET',
    path: of('/branches/([^/]+)/protection'),
    of: 'repository',
    shape: 'protection',
    needs: ['administration', 'read'],
    answer: ({ repository }) =>
      repository.settings.protection === null
        ? refusal(404, 'Branch not protected')
        : { json: repository.settings.protection },
  },
  setting('/actions/permissions', 'actions-permissions', 'actions'),
  setting('/actions/permissions/workflow', 'workflow-permissions', 'workflow'),
  setting('/actions/permissions/fork-pr-workflows-private-repos', 'fork-workflows', 'forks'),
  {
    method: 'GET',
    path: of('/keys'),
    of: 'repository',
    shape: 'deploy-key',
    isList: '',
    needs: ['administration', 'read'],
    answer: ({ request, repository }) => page(request, repository.settings.keys ?? []),
  },
];

function setting(path: string, shape: string, name: 'actions' | 'workflow' | 'forks'): Route {
  return {
    method: 'GET',
    path: of(path),
    of: 'repository',
    shape,
    needs: ['administration', 'read'],
    answer: ({ repository }) => ({ json: repository.settings[name] }),
  };
}

/** By its own settings or by a ruleset. Source: GitHub REST API, "List branches", `protected`. */
function isProtected({ settings: { protection, rules, rulesets } }: FakeRepository): boolean {
  return protection !== null || rules.length > 0 || rulesets.some(({ enforcement }) => enforcement === 'active');
}

function installation({ id, permissions, suspended }: Known['installations'][number]): Json {
  return {
    id,
    account: { login: 'octo-org', id: 2, type: 'Organization' },
    app_id: 1,
    target_type: 'Organization',
    permissions,
    events: ['push'],
    suspended_at: suspended ? '2026-01-09T02:02:12Z' : null,
  };
}

function row(repository: FakeRepository): { readonly [key: string]: Json } {
  return {
    id: repository.id,
    name: repository.name,
    full_name: `${repository.owner}/${repository.name}`,
    owner: account(repository.owner),
    private: repository.isPrivate,
    html_url: addressOf(repository),
    clone_url: `${addressOf(repository)}.git`,
    default_branch: 'main',
    archived: repository.isArchived,
  };
}

function whole(repository: FakeRepository): Json {
  return {
    ...row(repository),
    fork: false,
    has_issues: repository.hasIssues,
    permissions: { ...repository.permissions },
  };
}

export function reference(branch: string, sha: string): Json {
  return { ref: `refs/heads/${branch}`, object: { sha, type: 'commit' } };
}

function commitRow({ hash, tree, parents, message }: GitCommit): Json {
  return { sha: hash, commit: { message, tree: { sha: tree } }, parents: parents.map((sha) => ({ sha })) };
}

/** Raw bytes where they are asked for; folders are JSON whatever is asked for. */
async function contents({ request, repository, parts: [path = ''] }: RepositoryCall): Promise<TestAnswer> {
  const git = await repository.git();
  const at = request.query.get('ref') ?? 'main';
  if ((await git.resolve(at)) === null) return refusal(404, `No commit found for the ref ${at}`);
  const file = await git.readFile(at, path);
  if (file !== null) {
    const isRaw = request.headers['accept']?.startsWith('application/vnd.github.raw');
    if (!isRaw)
      return {
        json: { type: 'file', path, sha: file.blob, encoding: 'base64', content: file.content.toString('base64') },
      };
    return { body: file.content, headers: { 'content-type': 'application/vnd.github.raw+json; charset=utf-8' } };
  }
  const inside = (await git.listFiles(at)).filter((one) => one.path.startsWith(`${path}/`));
  if (inside.length === 0) return refusal(404, 'Not Found');
  const names = [...new Set(inside.map((one) => one.path.slice(path.length + 1).split('/')[0] ?? ''))];
  const isFile = (name: string): boolean => inside.some((one) => one.path === `${path}/${name}`);
  return { json: names.map((name) => ({ name, path: `${path}/${name}`, type: isFile(name) ? 'file' : 'dir' })) };
}
