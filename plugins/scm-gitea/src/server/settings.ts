import {
  ConnectorError,
  type Json,
  NOTHING_TO_SET,
  type PostureCheck,
  readAnswer,
  type SettingChange,
  settingsBy,
} from '@breakwater/sdk';
import type { GiteaForm } from '../plugin.ts';
import { BranchRules, Protection, SetRule } from './answers.ts';
import { openRepository } from './requests.ts';

type Fields = Readonly<Record<string, Json>>;

/** What a rule of a branch gets, and what it is made with where there is none. */
interface Wanted {
  /** What is set in a rule that exists; null: the rule alone is enough. */
  readonly fields: Fields | null;
  /** Whether the rule that exists has it. */
  has(rule: Rule): boolean;
  /** Of a rule that is made: whether people may still push to the branch without a pull request. */
  readonly mayPush: boolean;
  readonly change: Omit<SettingChange, 'setting'> & { readonly setting: (branch: string) => string };
}

interface Rule {
  readonly required_approvals?: number;
  readonly require_signed_commits?: boolean;
  readonly enable_force_push?: boolean;
}

const WANTED: Partial<Record<PostureCheck, Wanted>> = {
  'branch-protection': {
    fields: null,
    has: () => true,
    mayPush: false,
    change: { setting: (branch) => `Protection of "${branch}"`, from: 'none', to: 'a rule of its own' },
  },
  'required-reviews': {
    fields: { required_approvals: 1 },
    has: ({ required_approvals: count = 0 }) => count > 0,
    mayPush: false,
    change: { setting: (branch) => `Approvals that a change of "${branch}" needs`, from: '0', to: '1' },
  },
  'signed-commits': {
    fields: { require_signed_commits: true },
    has: ({ require_signed_commits: isAsked = false }) => isAsked,
    mayPush: true,
    change: { setting: (branch) => `Commits of "${branch}" without a signature`, from: 'accepted', to: 'refused' },
  },
  'force-pushes': {
    fields: { enable_force_push: false },
    has: ({ enable_force_push: isAllowed = false }) => !isAllowed,
    mayPush: true,
    change: { setting: (branch) => `Force pushes to "${branch}"`, from: 'accepted', to: 'refused' },
  },
};

/**
 * Rules of the default branch. A rule that exists is changed and not shadowed by another one, also where it is about more branches.
 * Source: Gitea API 1.22, `POST /repos/{owner}/{repo}/branch_protections`, `PATCH .../branch_protections/{name}`.
 */
export const settings = settingsBy<GiteaForm>(
  ['branch-protection', 'required-reviews', 'signed-commits', 'force-pushes'],
  async ({ http }, { repository, check }) => {
    const open = await openRepository(http, repository, 'admin');
    const wanted = WANTED[check];
    const branch = open.facts.default_branch ?? '';
    if (wanted === undefined) throw new ConnectorError('unsupported', `Gitea has no setting for "${check}".`);
    if (branch === '') throw new ConnectorError('config', `${open.facts.full_name} is empty: it has no branch yet.`);
    const at = `${open.path}/branches/${branch.split('/').map(encodeURIComponent).join('/')}`;
    const seen = readAnswer(BranchRules, await open.json('repository', { path: at }));
    const rules = `${open.path}/branch_protections`;
    const { setting, from, to } = wanted.change;
    if (seen.protected) {
      const name = seen.effective_branch_protection_name || branch;
      const path = `${rules}/${encodeURIComponent(name)}`;
      const rule = readAnswer(Protection, await open.json('repository', { path }));
      if (wanted.fields === null || wanted.has(rule)) return NOTHING_TO_SET;
      const { fields } = wanted;
      const of = name === branch ? '' : `, by the rule "${name}" for all branches of that name`;
      return {
        changes: [{ setting: `${setting(branch)}${of}`, from, to }],
        write: async () => {
          readAnswer(SetRule, await open.json('repository', { method: 'PATCH', path, body: fields }));
        },
      };
    }
    const body = { rule_name: branch, enable_push: wanted.mayPush, ...wanted.fields };
    const rule = {
      setting: WANTED['branch-protection']?.change.setting(branch) ?? '',
      from: 'none',
      to: 'a rule of its own',
    };
    const push = {
      setting: `Direct pushes to "${branch}"`,
      from: 'by all who may write',
      to: 'by nobody: by pull request',
    };
    const own = check === 'branch-protection' ? [] : [{ setting: setting(branch), from, to }];
    return {
      changes: [rule, ...(wanted.mayPush ? [] : [push]), ...own],
      write: async () => {
        readAnswer(SetRule, await open.json('repository', { method: 'POST', path: rules, body }));
      },
    };
  },
);
