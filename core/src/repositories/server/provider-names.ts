import type { ScmRepository } from '@breakwater/sdk';
import type { Static } from 'typebox';
import { AppError, type FieldIssue } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import { sayEnglish } from '../../platform/model/translator.ts';
import type { NewRepositories } from '../api/routes.ts';
import { NAME_LINE } from '../model/repository-fields.ts';
import type { SourceControls } from './provider-repositories.ts';

type Body = Static<typeof NewRepositories>;
type NewOne = Body['data'][number];

/** `owner/repo`, or with groups between: what people call a repository at its provider, and no address. */
const NAME = /^[^\s/:@\\]+(?:\/[^\s/:@\\]+)+$/;
const LISTING_MS = 50_000;
/** Longest id and branch that are kept. */
const MAX_TEXT = 255;
const LINE = new RegExp(NAME_LINE, 'u');
/** Sources that have no account: their addresses may look like names. */
const WITHOUT_ACCOUNT: ReadonlySet<string> = new Set(['git', 'local']);

/** Why what the provider says cannot be kept, judged like what a person types; null where it can. */
const providerIssue = ({ id }: ScmRepository, branch: string | undefined): string | null => {
  if (id === '' || id.length > MAX_TEXT) return msg('The provider gives it no usable id. Name it by its address.');
  const isKept = branch === undefined || (branch !== '' && branch.length <= MAX_TEXT && LINE.test(branch));
  return isKept ? null : msg('Its default branch has a name that cannot be kept. Name a branch in repository_branch.');
};

const unseen = (name: string): string =>
  sayEnglish('The connection sees no repository "{name}". Check the name, or what the connection may see.', {
    name: name.slice(0, 200),
  });

const nameOf = ({ url, external_id = '' }: NewOne): string | null =>
  external_id === '' && NAME.test(url) ? url.replace(/\.git$/, '').toLowerCase() : null;

/**
 * A body that names `owner/repo` in place of an address: the id and address that the provider has for it, from one listing however many are
 * named. @throws validation_failed naming what the connection does not see; integration_not_configured, conflict, upstream_failed
 */
export const withProviderIds = async (
  sourceControls: SourceControls,
  { clientId, body, signal }: { clientId: string; body: Body; signal: AbortSignal },
): Promise<Body> => {
  const sourceControl = body.source_control ?? 'github';
  const names = new Set(body.data.flatMap((one) => nameOf(one) ?? []));
  if (WITHOUT_ACCOUNT.has(sourceControl) || names.size === 0) return body;
  const request = { clientId, sourceControl, timeoutMs: LISTING_MS, signal };
  const found = await sourceControls.read(request, async (scm, ctx) => {
    const known = new Map<string, ScmRepository>();
    for await (const repository of scm.listRepositories(ctx)) {
      const name = repository.name.toLowerCase();
      if (names.has(name)) known.set(name, repository);
      if (known.size === names.size) break;
    }
    return known;
  });
  const issues: FieldIssue[] = [];
  const data = body.data.map((one, index): NewOne => {
    const name = nameOf(one);
    if (name === null) return one;
    const repository = found.get(name);
    const branch = one.repository_branch ?? repository?.defaultBranch;
    const msg = repository === undefined ? unseen(one.url) : providerIssue(repository, branch);
    if (msg !== null) issues.push({ loc: ['body', 'data', index, 'url'], msg, type: 'provider_name' });
    if (msg !== null || repository === undefined) return one;
    return {
      ...one,
      ...{ url: repository.cloneUrl ?? '', external_id: repository.id },
      ...(branch === undefined ? {} : { repository_branch: branch }),
    };
  });
  if (issues.length > 0) throw new AppError('validation_failed', undefined, { issues });
  return { ...body, data };
};
