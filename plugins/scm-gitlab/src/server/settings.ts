import {
  ConnectorError,
  NOTHING_TO_SET,
  type PostureCheck,
  readAnswer,
  type SettingAt,
  type SettingStep,
  type Static,
  settingsBy,
} from '@breakwater/sdk';
import type { GitlabForm } from '../plugin.ts';
import { ApprovalRule, JobTokenScope, Project, ProtectedBranch, PushRule, SetPushRule } from './answers.ts';
import { answered, type GitlabCtx, granted, projectPath, segment, write } from './requests.ts';
import { covers, DEVELOPER, NOT_THERE, setting, settingRows } from './visible-settings.ts';

const MAINTAINER = 40;
const NEEDS = 'the role Maintainer';

/** A project that is about to be set. */
interface Subject {
  readonly ctx: GitlabCtx;
  readonly repository: string;
  readonly project: Static<typeof Project>;
  readonly branch: string;
}

type Rule = Static<typeof ProtectedBranch>;

/** One write below the project, and what the setting is answered with. */
interface Write {
  readonly method: 'POST' | 'PUT' | 'PATCH';
  readonly rest: string;
  readonly body: Readonly<Record<string, string | number | boolean>>;
  /** Left out: it is answered with nothing. */
  readonly answer?: Parameters<typeof readAnswer>[0];
}

/** @throws ConnectorError scope, config */
async function send({ ctx, repository }: Subject, { method, rest, body, answer }: Write): Promise<void> {
  const got = await write(ctx, { method, path: projectPath(repository, rest), body: { ...body } }, NEEDS);
  const set = answered(got, 'change the setting');
  if (answer !== undefined) readAnswer(answer, set);
}

/** Settings of projects that only maintainers see. @throws ConnectorError scope */
function seen<T>(value: T | undefined): T {
  if (value !== undefined) return value;
  throw new ConnectorError('scope', 'The connection may not see the setting, and so not change it.', {
    help: `The token needs the scope "api", and its user ${NEEDS} in the project.`,
  });
}

const openLevels = ({ push_access_levels: levels = [] }: Rule) =>
  levels.filter(({ access_level: level }) => level === DEVELOPER);

const forcedSetting = ({ name }: Rule, branch: string) => {
  const setting =
    name === branch
      ? `Force pushes to "${branch}"`
      : `Force pushes to "${branch}", by the rule "${name}" for all branches of that name`;
  return { setting, ...FORCED };
};

const pushSetting = ({ name }: Rule, branch: string) => {
  const setting =
    name === branch
      ? `Who may push to "${branch}"`
      : `Who may push to "${branch}", by the rule "${name}" for all branches of that name`;
  return { setting, ...DEVELOPERS };
};

const DEVELOPERS = { from: 'developers and maintainers', to: 'maintainers' } as const;
const FORCED = { from: 'accepted', to: 'refused' } as const;

async function branchStep(subject: Subject, check: PostureCheck): Promise<SettingStep> {
  const { ctx, repository, branch } = subject;
  const all = seen(await settingRows(ctx, projectPath(repository, '/protected_branches'), ProtectedBranch, NOT_THERE));
  const rules = all.filter(({ name }) => covers(name, branch));
  if (rules.length === 0) {
    const body = {
      ...{ name: branch, push_access_level: MAINTAINER, merge_access_level: DEVELOPER, allow_force_push: false },
    };
    return {
      changes: [
        { setting: `Who may push to "${branch}"`, ...DEVELOPERS },
        { setting: `Force pushes to "${branch}"`, ...FORCED },
      ],
      write: () => send(subject, { method: 'POST', rest: '/protected_branches', body, answer: ProtectedBranch }),
    };
  }
  const isForced = check === 'force-pushes';
  const wrong = rules.filter((rule) => (isForced ? rule.allow_force_push === true : openLevels(rule).length > 0));
  return {
    changes: wrong.map((rule) => (isForced ? forcedSetting(rule, branch) : pushSetting(rule, branch))),
    write: async () => {
      for (const rule of wrong) await changeRule(subject, rule, isForced);
    },
  };
}

/** Free editions leave the levels of a rule that exists as they are, and say nothing of it. */
async function changeRule(subject: Subject, rule: Rule, isForced: boolean): Promise<void> {
  const { ctx, repository, project } = subject;
  const path = projectPath(repository, `/protected_branches/${segment(rule.name)}`);
  const levels = openLevels(rule).flatMap(({ id }) => (id === undefined ? [] : [{ id, access_level: MAINTAINER }]));
  const body = isForced ? { allow_force_push: false } : { allowed_to_push: levels };
  const answer = await write(ctx, { method: 'PATCH', path, body }, NEEDS);
  const now = readAnswer(ProtectedBranch, answered(answer, `change the rule "${rule.name}"`));
  if (isForced ? now.allow_force_push !== true : openLevels(now).length === 0) return;
  throw new ConnectorError(
    'config',
    `Changing the rule "${rule.name}" through the API is a feature of GitLab Premium.`,
    {
      help: `Change it by hand: ${project.web_url}/-/settings/repository#js-protected-branches-settings`,
    },
  );
}

async function reviewStep(subject: Subject): Promise<SettingStep> {
  const { ctx, repository, branch } = subject;
  const rules = await settingRows(ctx, projectPath(repository, '/approval_rules'), ApprovalRule, NOT_THERE);
  if (rules === undefined) throw new ConnectorError('config', 'To require approvals is a feature of GitLab Premium.');
  const asks = rules.some(
    ({ approvals_required: count, protected_branches: only = [] }) =>
      count > 0 && (only.length === 0 || only.some(({ name }) => covers(name, branch))),
  );
  if (asks) return NOTHING_TO_SET;
  const any = rules.find(({ rule_type: type }) => type === 'any_approver');
  return {
    changes: [{ setting: 'Approvals that a merge request needs', from: '0', to: '1' }],
    write: () =>
      any === undefined
        ? send(subject, {
            ...{ method: 'POST', rest: '/approval_rules', answer: ApprovalRule },
            body: { name: 'All Members', rule_type: 'any_approver', approvals_required: 1 },
          })
        : send(subject, {
            ...{ method: 'PUT', rest: `/approval_rules/${any.id}`, answer: ApprovalRule },
            body: { name: any.name, approvals_required: 1 },
          }),
  };
}

async function signingStep(subject: Subject): Promise<SettingStep> {
  const { ctx, repository } = subject;
  const rule = await setting(ctx, projectPath(repository, '/push_rule'), PushRule, NOT_THERE);
  const isOfPlan = rule !== undefined && (rule === null || rule.reject_unsigned_commits !== undefined);
  if (!isOfPlan)
    throw new ConnectorError('config', 'To refuse commits without a signature is a feature of GitLab Premium.');
  if (rule?.reject_unsigned_commits === true) return NOTHING_TO_SET;
  return {
    changes: [{ setting: 'Commits without a signature, on every branch', from: 'accepted', to: 'refused' }],
    write: () =>
      send(subject, {
        ...{ method: rule === null ? 'POST' : 'PUT', rest: '/push_rule', answer: SetPushRule },
        body: { reject_unsigned_commits: true },
      }),
  };
}

async function jobTokenStep(subject: Subject): Promise<SettingStep> {
  const { ctx, repository } = subject;
  const scope = seen(await setting(ctx, projectPath(repository, '/job_token_scope'), JobTokenScope, NOT_THERE));
  if (scope.inbound_enabled) return NOTHING_TO_SET;
  return {
    changes: [
      { setting: 'Who may reach the project by a job token', from: 'every project', to: 'projects listed there' },
    ],
    write: () => send(subject, { method: 'PATCH', rest: '/job_token_scope', body: { enabled: true } }),
  };
}

const STEPS: Partial<Record<PostureCheck, (subject: Subject, check: PostureCheck) => Promise<SettingStep>>> = {
  'branch-protection': branchStep,
  'force-pushes': branchStep,
  'required-reviews': reviewStep,
  'signed-commits': signingStep,
  'default-workflow-permissions': jobTokenStep,
};

/**
 * Source: GitLab REST API v4, "Protected branches", "Merge request approvals", "Project push rules", "CI/CD job token scope".
 */
export const settings = settingsBy<GitlabForm>(
  ['branch-protection', 'force-pushes', 'required-reviews', 'signed-commits', 'default-workflow-permissions'],
  async (ctx, { repository, check }: SettingAt) => {
    const step = STEPS[check];
    if (step === undefined) throw new ConnectorError('unsupported', `GitLab has no setting for "${check}".`);
    const project = readAnswer(Project, await ctx.http.json({ path: projectPath(repository) }));
    return granted(NEEDS, () => step({ ctx, repository, project, branch: project.default_branch ?? 'main' }, check));
  },
);
