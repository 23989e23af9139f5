import type { CredentialSchema, Ctx, ScmBranch, ScmRead, ScmRepository } from '@breakwater/sdk';
import type { Static } from 'typebox';
import { AppError } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import { sayEnglish } from '../../platform/model/translator.ts';
import { visibleText } from '../../platform/model/visible-text.ts';
import type { DatabaseHandle, Db } from '../../platform/server/database.ts';
import { callerEndpoint, type Endpoint, ownedOnly, tenantEndpoint } from '../../platform/server/endpoint.ts';
import {
  listProviderBranches,
  listProviderRepositories,
  listSourceControls,
  MAX_LISTED,
  type ProviderRepository,
} from '../api/provider-routes.ts';
import { cloneUrlIssue } from '../model/clone-url.ts';
import { nameIssue } from '../model/repository-fields.ts';
import './tables.ts';

/** A source control, and how the connection of a client to it stands. */
export interface SourceControlState {
  id: string;
  title: string;
  isConnected: boolean;
  /** False where repositories are named by address only. */
  hasAccount: boolean;
  problem: string | null;
}

/** The connections to source controls, given by the composition root. */
export interface SourceControls {
  /** Those that all organisations have, then what this one added. In a transaction of it. */
  list(db: Db, clientId: string): Promise<readonly SourceControlState[]>;
  /** Titles of those that it added, by id. In a transaction of it. */
  addedTitles(db: Db, clientId: string): Promise<ReadonlyMap<string, string>>;
  /** Why nothing can come from a source control, or that the organisation has none of that id; null where it can. */
  refusal(clientId: string, sourceControl: string): Promise<string | null>;
  /**
   * Runs a step of a source control's code with the connection of a client, outside any transaction.
   * @throws integration_not_configured, conflict, upstream_failed
   */
  read<T>(
    request: { clientId: string; sourceControl: string; timeoutMs: number; signal: AbortSignal },
    work: (scm: ScmRead, ctx: Ctx<CredentialSchema>) => Promise<T>,
  ): Promise<T>;
}

/** Longest that a listing takes; what came until then is answered. */
const LISTING_MS = 50_000;
const BRANCHES_MS = 20_000;
const MAX_BRANCHES = 5_000;
const MAX_EXTERNAL_ID_LENGTH = 255;

interface Collected<T> {
  items: T[];
  problem: string | null;
}

/** Takes what a provider lists, page by page. What came before a failure is worth showing, with the reason why it is not all. */
const collect = async <T>(
  run: (take: (items: AsyncIterable<T>) => Promise<void>) => Promise<void>,
  limit: number,
): Promise<Collected<T>> => {
  const taken: T[] = [];
  let problem: string | null = null;
  const take = async (items: AsyncIterable<T>): Promise<void> => {
    for await (const item of items) {
      if (taken.length === limit) {
        problem = sayEnglish('There are more than {limit}: only the first are listed.', { limit });
        return;
      }
      taken.push(item);
    }
  };
  try {
    await run(take);
  } catch (error) {
    if (taken.length === 0 || !(error instanceof AppError) || error.code !== 'upstream_failed') throw error;
    problem = error.userMessage;
  }
  return { items: [...taken], problem };
};

/** Repositories of one source control, by their id there and by their address. Reads the client's repositories, of which there are few. */
const readImported = async (db: Db, clientId: string, sourceControl: string) => {
  const rows = await db
    .selectFrom('repositories')
    .select(['id', 'external_id', 'url'])
    .where('client_id', '=', clientId)
    .where('source_control', '=', sourceControl)
    .execute();
  const byExternalId = new Map(rows.map((row) => [row.external_id, row.id]));
  const byUrl = new Map(rows.map((row) => [row.url.toLowerCase(), row.id]));
  return (repository: ScmRepository): string | null =>
    byExternalId.get(repository.id) ??
    (repository.cloneUrl === undefined ? undefined : byUrl.get(repository.cloneUrl.toLowerCase())) ??
    null;
};

const isWebAddress = (address: string): boolean =>
  URL.canParse(address) && ['https:', 'http:'].includes(new URL(address).protocol);

/** What a provider says is judged like what a person types: a name or address that cannot be kept says so. */
const providerItem = (
  repository: ScmRepository,
  repositoryId: string | null,
): { _id: string; attributes: Static<typeof ProviderRepository> } => {
  const { id, name, url, cloneUrl = '', defaultBranch, isPrivate, isArchived = false } = repository;
  const addressIssue = cloneUrlIssue(cloneUrl);
  const issue =
    id === '' || id.length > MAX_EXTERNAL_ID_LENGTH
      ? msg('The provider gives it no usable id.')
      : (nameIssue(name) ?? addressIssue);
  return {
    _id: id,
    attributes: {
      name: visibleText(name),
      web_url: isWebAddress(url) ? url : '',
      url: addressIssue === undefined ? cloneUrl : '',
      default_branch: defaultBranch ?? null,
      is_private: isPrivate ?? null,
      is_archived: isArchived,
      repository_id: repositoryId,
      problem: issue ?? null,
    },
  };
};

/**
 * One repository as its provider lists it. @throws validation_failed where the connection does not see it, or it cannot be kept;
 * integration_not_configured, conflict, upstream_failed
 */
export const findAtProvider = async (
  sourceControls: SourceControls,
  wanted: { clientId: string; sourceControl: string; externalId: string; signal: AbortSignal },
): Promise<{ name: string; url: string; defaultBranch: string | null }> => {
  const { clientId, sourceControl, externalId, signal } = wanted;
  const request = { clientId, sourceControl, timeoutMs: LISTING_MS, signal };
  const found = await sourceControls.read(request, async (scm, ctx) => {
    for await (const repository of scm.listRepositories(ctx)) if (repository.id === externalId) return repository;
    return undefined;
  });
  const attributes = found === undefined ? undefined : providerItem(found, null).attributes;
  const branch = attributes?.default_branch ?? null;
  const branchIssue = branch === null ? undefined : nameIssue(branch);
  const issue =
    attributes === undefined
      ? msg('The connection does not see this repository any more.')
      : (attributes.problem ?? branchIssue ?? null);
  if (attributes === undefined || issue !== null)
    throw new AppError('validation_failed', undefined, {
      issues: [{ loc: ['body', 'external_id'], msg: issue ?? '', type: 'provider_repository' }],
    });
  return { name: attributes.name, url: attributes.url, defaultBranch: attributes.default_branch };
};

/** Each once: what is made or renamed while its pages are read may stand on two of them. */
const unique = <T>(items: readonly T[], keyOf: (item: T) => string): T[] => [
  ...new Map(items.map((item) => [keyOf(item), item])).values(),
];

const countBySourceControl = async (db: Db, clientId: string, owner: string | null): Promise<Map<string, number>> => {
  const all = db
    .selectFrom('repositories')
    .select(({ fn }) => ['source_control', fn.countAll<number>().as('count')])
    .where('client_id', '=', clientId)
    .groupBy('source_control');
  const rows = await (owner === null ? all : all.where('owner', '=', owner)).execute();
  return new Map(rows.map((row) => [row.source_control, row.count]));
};

/** What the connections to source controls see, to be imported. */
export const providerEndpoints = (deps: { database: DatabaseHandle; sourceControls: SourceControls }): Endpoint[] => [
  tenantEndpoint(listSourceControls)(async ({ db, caller }) => {
    const { clientId } = caller;
    const counts = await countBySourceControl(db, clientId, ownedOnly(caller));
    const states = await deps.sourceControls.list(db, clientId);
    return {
      data: states.map(({ id, title, isConnected, hasAccount, problem }) => {
        const stands = { is_connected: isConnected, has_account: hasAccount, problem };
        return { _id: id, attributes: { title, count: counts.get(id) ?? 0, ...stands } };
      }),
    };
  }),
  callerEndpoint(listProviderRepositories)(async ({ caller, params, signal }) => {
    const { clientId } = caller;
    const sourceControl = params.source_control;
    const request = { clientId, sourceControl, timeoutMs: LISTING_MS, signal };
    const { items, problem } = await collect<ScmRepository>(
      (take) => deps.sourceControls.read(request, (scm, ctx) => take(scm.listRepositories(ctx))),
      MAX_LISTED,
    );
    const findImported = await deps.database.forClient(clientId, (db) => readImported(db, clientId, sourceControl));
    const listed = unique(items, ({ id }) => id);
    return { data: listed.map((repository) => providerItem(repository, findImported(repository))), meta: { problem } };
  }),
  callerEndpoint(listProviderBranches)(async ({ caller, params, query, signal }) => {
    const { clientId } = caller;
    const request = { clientId, sourceControl: params.source_control, timeoutMs: BRANCHES_MS, signal };
    const { items, problem } = await collect<ScmBranch>(
      (take) => deps.sourceControls.read(request, (scm, ctx) => take(scm.listBranches(ctx, query.repository))),
      MAX_BRANCHES,
    );
    // a branch that cannot be named here cannot be chosen
    const named = unique(items, ({ name }) => name).filter(({ name }) => nameIssue(name) === undefined);
    return {
      data: named.map(({ name, isProtected }) => ({ name, is_protected: isProtected ?? null })),
      meta: { problem },
    };
  }),
];
