import {
  ConnectorError,
  type Json,
  type PostureCheck,
  readAnswer,
  type SettingChange,
  settingsBy,
} from '@breakwater/sdk';
import type { BitbucketForm } from '../plugin.ts';
import { Restriction } from './answers.ts';
import { type Rule, rulesOf } from './posture.ts';
import { answered, type BitbucketCtx, repositoryOf, repositoryPath, write } from './requests.ts';

const NEEDS = 'the scope "repository:admin" of an administrator';

/** A restriction of the branch, and what it changes for people. */
interface Wanted {
  readonly kind: string;
  readonly fields: Readonly<Record<string, Json>>;
  has(rules: readonly Rule[]): boolean;
  readonly change: Omit<SettingChange, 'setting'> & { readonly setting: (branch: string) => string };
}

const NOBODY = { users: [], groups: [] } as const;

const WANTED: Partial<Record<PostureCheck, readonly Wanted[]>> = {
  'branch-protection': [
    {
      kind: 'push',
      fields: NOBODY,
      has: (rules) => rules.some(({ kind }) => kind === 'push'),
      change: {
        setting: (branch) => `Direct pushes to "${branch}"`,
        ...{ from: 'by all who may write', to: 'by nobody: by pull request' },
      },
    },
  ],
  'force-pushes': [
    {
      kind: 'force',
      fields: {},
      has: (rules) =>
        rules.some(
          ({ kind, users = [], groups = [] }) =>
            kind === 'force' || (kind === 'push' && users.length + groups.length === 0),
        ),
      change: { setting: (branch) => `Force pushes to "${branch}"`, from: 'accepted', to: 'refused' },
    },
  ],
  'required-reviews': [
    {
      kind: 'require_approvals_to_merge',
      fields: { value: 1 },
      has: (rules) =>
        rules.some(
          ({ kind, value }) =>
            (kind === 'require_approvals_to_merge' && (value ?? 0) > 0) ||
            kind === 'require_default_reviewer_approvals_to_merge',
        ),
      change: { setting: (branch) => `Approvals that a pull request into "${branch}" needs`, from: '0', to: '1' },
    },
    {
      kind: 'enforce_merge_checks',
      fields: {},
      has: (rules) => rules.some(({ kind }) => kind === 'enforce_merge_checks'),
      change: { setting: (branch) => `Merge of "${branch}" without its checks`, from: 'possible', to: 'refused' },
    },
  ],
};

/** Makes the restriction; one of its kind that asks for less is changed. */
async function restrict(
  ctx: BitbucketCtx,
  at: { readonly repository: string; readonly branch: string },
  { kind, fields }: Wanted,
  rules: readonly Rule[],
): Promise<void> {
  const less = rules.find((rule) => rule.kind === kind && rule.id !== undefined);
  const path = repositoryPath(at.repository, `/branch-restrictions${less === undefined ? '' : `/${less.id}`}`);
  const body =
    less === undefined
      ? { type: 'branchrestriction', kind, branch_match_kind: 'glob', pattern: at.branch, ...fields }
      : { type: 'branchrestriction', kind, ...fields };
  const answer = await write(ctx, { method: less === undefined ? 'POST' : 'PUT', path, body }, NEEDS);
  readAnswer(Restriction, answered(answer, `restrict the branch "${at.branch}"`));
}

/** Restrictions of the main branch. Source: Bitbucket Cloud REST API 2.0, `branch-restrictions`. */
export const settings = settingsBy<BitbucketForm>(
  ['branch-protection', 'force-pushes', 'required-reviews'],
  async (ctx, { repository, check }) => {
    const wanted = WANTED[check];
    if (wanted === undefined) throw new ConnectorError('unsupported', `Bitbucket has no setting for "${check}".`);
    const branch = (await repositoryOf(ctx, repository)).mainbranch?.name ?? 'main';
    const rules = await rulesOf(ctx, repository, branch);
    if (rules === undefined) {
      throw new ConnectorError('scope', 'The connection may not see the restrictions, and so not change them.', {
        help: `The token needs ${NEEDS} for this repository.`,
      });
    }
    const missing = wanted.filter((one) => !one.has(rules));
    return {
      changes: missing.map(({ change: { setting, from, to } }) => ({ setting: setting(branch), from, to })),
      write: async () => {
        for (const one of missing) await restrict(ctx, { repository, branch }, one, rules);
      },
    };
  },
);
