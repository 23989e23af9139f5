import type { ScmRepository } from '@breakwater/sdk';
import type { ConnectionCtx } from '../../connectors/server/index.ts';
import { AppError } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import { say } from '../../platform/model/sentence.ts';
import { callerEndpoint, type Endpoint } from '../../platform/server/endpoint.ts';
import {
  LIST_REPOSITORIES,
  listBitbucketBranches,
  listGiteaBranches,
  listGithubBranches,
  listGitlabBranches,
} from '../api/routes.ts';
import { cloneUrlIssue, PROVIDER_NAMES, PROVIDERS, type Provider } from '../model/providers.ts';
import type { SourceControlDeps } from './deps.ts';

const MAX_ROWS = 10_000;
/** Hundreds of pages, one after the other. */
const LIST_MS = 120_000;

interface Ask {
  provider: Provider;
  clientId: string;
  signal: AbortSignal;
}

const collect = async <T>(rows: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = [];
  for await (const row of rows) {
    found.push(row);
    if (found.length >= MAX_ROWS) break;
  }
  return found;
};

/** The reading half of a provider. @throws not_found where its plugin is not here */
const scmOf = ({ catalogue }: SourceControlDeps, provider: Provider) => {
  const scm = catalogue.capability('scm', PROVIDERS[provider]);
  if (scm === null) throw new AppError('not_found', msg('Oauth service not found'));
  return scm;
};

const use = async <T>(
  { connections }: SourceControlDeps,
  { provider, clientId, signal }: Ask,
  work: (ctx: ConnectionCtx) => Promise<T>,
): Promise<T> => {
  const connectionKey = { clientId, connectorId: PROVIDERS[provider] };
  try {
    return await connections.use(connectionKey, work, { timeoutMs: LIST_MS, signal });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'upstream_failed') throw error;
    throw new AppError(
      'upstream_failed',
      say('Failed to get repositories {provider}. {userMessage}', { provider, userMessage: error.userMessage }),
      {
        cause: error,
      },
    );
  }
};

const attributesOf = (repository: ScmRepository) => {
  const { name, url, cloneUrl = '', defaultBranch, isPrivate, isArchived } = repository;
  return {
    name,
    url: /^https?:\/\//i.test(url) ? url : '',
    clone_url: cloneUrl === '' || cloneUrlIssue(cloneUrl) !== undefined ? null : cloneUrl,
    default_branch: defaultBranch ?? null,
    is_private: isPrivate ?? null,
    is_archived: isArchived ?? null,
  };
};

/** The repository that a body names, by the provider's id or by `owner/repo` in any case. */
const findRepository = async (
  rows: AsyncIterable<ScmRepository>,
  wanted: { id?: string; name: string },
): Promise<ScmRepository | null> => {
  const name = wanted.name.toLowerCase();
  for await (const repository of rows) {
    if (repository.id === wanted.id || repository.name.toLowerCase() === name) return repository;
  }
  return null;
};

/** @throws repository_not_found */
const readBranches = async (deps: SourceControlDeps, ask: Ask, wanted: { id?: string; name: string }) => {
  const scm = scmOf(deps, ask.provider);
  // what is thrown inside counts as a fault of the connector's code
  const data = await use(deps, ask, async (ctx) => {
    const repository = await findRepository(scm.listRepositories(ctx), wanted);
    if (repository === null) return null;
    const items = (await collect(scm.listBranches(ctx, repository.id))).map(({ name }) => name);
    const { url, default_branch } = attributesOf(repository);
    return { repository_id: repository.id, default_branch, url, items };
  });
  if (data === null) {
    throw new AppError(
      'repository_not_found',
      say('The connection sees no repository "{name}".', { name: wanted.name.slice(0, 200) }),
    );
  }
  return { success: true as const, data };
};

/** Repositories of the providers and their branches, read through the connection. */
export const repositoryEndpoints = (deps: SourceControlDeps): Endpoint[] => [
  ...PROVIDER_NAMES.map((provider) =>
    callerEndpoint(LIST_REPOSITORIES[provider])(async ({ caller, signal }) => {
      const scm = scmOf(deps, provider);
      const ask = { provider, clientId: caller.clientId, signal };
      const found = await use(deps, ask, (ctx) => collect(scm.listRepositories(ctx)));
      const total = found.length;
      return {
        data: found.map((repository) => ({ _id: repository.id, attributes: attributesOf(repository) })),
        meta: { pagination: { page: 1, pageSize: total, pageCount: 1, total } },
      };
    }),
  ),
  callerEndpoint(listGitlabBranches)(({ caller, body, signal }) => {
    const id = String(body.repository_id);
    return readBranches(deps, { provider: 'gitlab', clientId: caller.clientId, signal }, { id, name: id });
  }),
  callerEndpoint(listBitbucketBranches)(({ caller, body, signal }) =>
    readBranches(
      deps,
      { provider: 'bitbucket', clientId: caller.clientId, signal },
      { name: `${body.workspace}/${body.repo_slug}` },
    ),
  ),
  callerEndpoint(listGiteaBranches)(({ caller, body, signal }) =>
    readBranches(
      deps,
      { provider: 'gitea', clientId: caller.clientId, signal },
      { name: `${body.owner}/${body.repo}` },
    ),
  ),
  callerEndpoint(listGithubBranches)(({ caller, body, signal }) =>
    readBranches(
      deps,
      { provider: 'github', clientId: caller.clientId, signal },
      { name: `${body.workspace}/${body.repo_slug}` },
    ),
  ),
];
