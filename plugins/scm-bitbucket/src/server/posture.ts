import { isConnectorError, type PostureAnswer, readAnswer, type Static } from '@breakwater/sdk';
import { BranchingModel, DeployKey, Restriction } from './answers.ts';
import { rowsOf } from './pages.ts';
import { type BitbucketCtx, repositoryOf, repositoryPath } from './requests.ts';

const DAY_MS = 24 * 3_600_000;
/** A deploy key that was not used for so long, or was never used since it was added so long ago. */
const UNUSED_DAYS = 90;
const HIDDEN = 'It is told only to tokens with the scope "repository:admin" of an administrator.';

type Said = Pick<PostureAnswer, 'state' | 'detail'>;
export type Rule = Static<typeof Restriction>;

/**
 * The settings of a repository that Bitbucket has: branch restrictions and access keys. What the token may not see is `unknown`.
 * Source: Bitbucket Cloud REST API 2.0, `branch-restrictions`, `branching-model`, `deploy-keys`.
 */
export async function posture(ctx: BitbucketCtx, repository: string): Promise<readonly PostureAnswer[]> {
  const { mainbranch, links } = await repositoryOf(ctx, repository);
  const branch = mainbranch?.name ?? 'main';
  const rules = await rulesOf(ctx, repository, branch);
  const url = `${links.html.href}/admin/branch-restrictions`;
  const onBranch = (
    check: PostureAnswer['check'],
    judge: (found: readonly Rule[], name: string) => Said,
  ): PostureAnswer => ({
    check,
    branch,
    url,
    ...(rules === undefined ? unknown(HIDDEN) : judge(rules, branch)),
  });
  const keys = await visible(async () => all(rowsOf(ctx.http, repositoryPath(repository, '/deploy-keys'), DeployKey)));
  return [
    onBranch('branch-protection', protection),
    onBranch('force-pushes', forcePushes),
    onBranch('required-reviews', reviews),
    {
      check: 'stale-deploy-keys',
      url: `${links.html.href}/admin/access-keys/`,
      ...(keys === undefined ? unknown(HIDDEN) : deployKeys(keys, ctx.now())),
    },
  ];
}

/** Undefined where the token may not see it. */
async function visible<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isConnectorError(error) && (error.code === 'scope' || error.code === 'config')) return undefined;
    throw error;
  }
}

async function all<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const row of rows) found.push(row);
  return found;
}

/** The rules about that branch, by its name or by its place in the branching model. */
export async function rulesOf({ http }: BitbucketCtx, repository: string, branch: string): Promise<Rule[] | undefined> {
  return visible(async () => {
    const rules = await all(rowsOf(http, repositoryPath(repository, '/branch-restrictions'), Restriction));
    const usesModel = rules.some(({ branch_match_kind: kind }) => kind === 'branching_model');
    const model = usesModel
      ? readAnswer(BranchingModel, await http.json({ path: repositoryPath(repository, '/branching-model') }))
      : {};
    return rules.filter(({ branch_match_kind: kind, pattern = '', branch_type: type }) => {
      if (kind !== 'branching_model') return covers(pattern, branch);
      return (
        (type === 'development' && model.development?.branch?.name === branch) ||
        (type === 'production' && model.production?.branch?.name === branch)
      );
    });
  });
}

/** Whether a pattern, in which `*` stands for any text, is about the branch. */
function covers(pattern: string, branch: string): boolean {
  const text = pattern
    .split(/\*+/)
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('.*');
  return new RegExp(`^${text}$`, 's').test(branch);
}

const unknown = (detail: string): Said => ({ state: 'unknown', detail });
const judged = (isOk: boolean, ok: string, atRisk: string): Said =>
  isOk ? { state: 'ok', detail: ok } : { state: 'at-risk', detail: atRisk };

function protection(rules: readonly Rule[], branch: string): Said {
  return judged(
    rules.some(({ kind }) => kind === 'push'),
    `Who may push to "${branch}" is restricted.`,
    `Everybody who may write to the repository may push to "${branch}".`,
  );
}

function forcePushes(rules: readonly Rule[], branch: string): Said {
  const isClosed = rules.some(
    ({ kind, users = [], groups = [] }) => kind === 'force' || (kind === 'push' && users.length + groups.length === 0),
  );
  return judged(isClosed, 'Force pushes are refused.', `The history of "${branch}" can be rewritten by a force push.`);
}

function reviews(rules: readonly Rule[], branch: string): Said {
  const isAsked = rules.some(
    ({ kind, value }) =>
      (kind === 'require_approvals_to_merge' && (value ?? 0) > 0) ||
      kind === 'require_default_reviewer_approvals_to_merge',
  );
  if (!isAsked) return { state: 'at-risk', detail: `A pull request into "${branch}" needs no approval.` };
  return judged(
    rules.some(({ kind }) => kind === 'enforce_merge_checks'),
    `A pull request into "${branch}" needs an approval.`,
    `A pull request into "${branch}" asks for an approval, but can be merged without it: merge checks are not enforced.`,
  );
}

function deployKeys(keys: readonly Static<typeof DeployKey>[], now: Date): Said {
  const isStale = ({ last_used: used, ...key }: Static<typeof DeployKey>): boolean => {
    const added = 'created_on' in key ? key.created_on : key.added_on;
    return now.getTime() - Date.parse(used ?? added) > UNUSED_DAYS * DAY_MS;
  };
  const stale = keys.filter(isStale).map(({ label = '' }) => `"${label.slice(0, 100)}"`);
  return judged(
    stale.length === 0,
    keys.length === 0 ? 'There are no access keys.' : 'All access keys are in use or new.',
    `Access keys that were not used for ${UNUSED_DAYS} days: ${stale.slice(0, 5).join(', ')}${stale.length > 5 ? ', …' : ''}.`,
  );
}
