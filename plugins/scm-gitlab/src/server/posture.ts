import type { PostureAnswer, PostureCheck, Static } from '@breakwater/sdk';
import { readAnswer } from '@breakwater/sdk';
import { ApprovalRule, DeployKey, Group, JobTokenScope, Project, ProtectedBranch, PushRule } from './answers.ts';
import { type GitlabCtx, projectPath, segment } from './requests.ts';
import { covers, DEVELOPER, setting, settingRows } from './visible-settings.ts';

const DAY_MS = 24 * 3_600_000;
/** A deploy key that was not used for so long, or where GitLab does not tell the use, that is so old and never expires. */
const UNUSED_DAYS = 90;
const OLD_DAYS = 365;

interface Subject {
  readonly ctx: GitlabCtx;
  readonly repository: string;
  readonly project: Static<typeof Project>;
  readonly branch: string;
}

type Said = Pick<PostureAnswer, 'state' | 'detail'>;

/**
 * The settings of a project. What the token may not see, or what only a paid edition has, is `unknown`.
 * Source: GitLab REST API v4, "Projects", "Protected branches", "Merge request approvals", "Project push rules", "CI/CD job token scope",
 * "Deploy keys", "Groups".
 */
export async function posture(ctx: GitlabCtx, repository: string): Promise<readonly PostureAnswer[]> {
  const project = readAnswer(Project, await ctx.http.json({ path: projectPath(repository) }));
  const branch = project.default_branch ?? 'main';
  const subject: Subject = { ctx, repository, project, branch };
  const page = (rest: string): string => `${project.web_url}/-/settings/${rest}`;
  const branches = await protectionOf(subject);
  const answer = (check: PostureCheck, said: Said, url: string): PostureAnswer => ({ check, ...said, url });
  const onBranch = (check: PostureCheck, said: Said, url: string) => ({ ...answer(check, said, url), branch });
  return [
    onBranch('branch-protection', branches.protection, page('repository#js-protected-branches-settings')),
    onBranch('force-pushes', branches.forcePushes, page('repository#js-protected-branches-settings')),
    onBranch('required-reviews', await reviewsOf(subject), page('merge_requests')),
    answer('signed-commits', await signingOf(subject), page('repository#js-push-rules')),
    answer('default-workflow-permissions', await jobTokensOf(subject), page('ci_cd#js-token-access')),
    answer('secrets-in-forks', forksOf(subject), page('ci_cd#js-general-pipeline-settings')),
    answer('admins-without-two-factor', await twoFactorOf(subject), `${project.web_url}/-/project_members`),
    answer('stale-deploy-keys', await deployKeysOf(subject), page('repository#js-deploy-keys-settings')),
  ];
}

const unknown = (detail: string): Said => ({ state: 'unknown', detail });
const judged = (isOk: boolean, ok: string, atRisk: string): Said =>
  isOk ? { state: 'ok', detail: ok } : { state: 'at-risk', detail: atRisk };

async function protectionOf({ ctx, repository, branch }: Subject): Promise<{ protection: Said; forcePushes: Said }> {
  const all = await settingRows(ctx, projectPath(repository, '/protected_branches'), ProtectedBranch);
  if (all === undefined) {
    const hidden = unknown('Who may push is told only to members with the role Maintainer.');
    return { protection: hidden, forcePushes: hidden };
  }
  const rules = all.filter(({ name }) => covers(name, branch));
  if (rules.length === 0) {
    return {
      protection: { state: 'at-risk', detail: `"${branch}" is not protected: every developer may push to it.` },
      forcePushes: { state: 'at-risk', detail: `"${branch}" is not protected, so that its history can be rewritten.` },
    };
  }
  const isOpen = rules.some(({ push_access_levels: levels = [] }) =>
    levels.some(({ access_level: level }) => level === DEVELOPER),
  );
  const isForced = rules.some(({ allow_force_push: isAllowed }) => isAllowed === true);
  return {
    protection: judged(
      !isOpen,
      `"${branch}" is protected.`,
      `"${branch}" is protected, but every developer may push to it.`,
    ),
    forcePushes: judged(!isForced, 'Force pushes are refused.', `Who may push to "${branch}" may rewrite its history.`),
  };
}

async function reviewsOf({ ctx, repository, branch }: Subject): Promise<Said> {
  const rules = await settingRows(ctx, projectPath(repository, '/approval_rules'), ApprovalRule);
  if (rules === undefined)
    return unknown('Required approvals are a feature of GitLab Premium, or the token may not see them.');
  const needed = rules
    .filter(({ protected_branches: only = [] }) => only.length === 0 || only.some(({ name }) => covers(name, branch)))
    .reduce((most, { approvals_required: count }) => Math.max(most, count), 0);
  return judged(
    needed > 0,
    needed === 1
      ? `A merge request into "${branch}" needs an approval.`
      : `A merge request into "${branch}" needs ${needed} approvals.`,
    `A merge request into "${branch}" needs no approval.`,
  );
}

async function signingOf({ ctx, repository }: Subject): Promise<Said> {
  const rule = await setting(ctx, projectPath(repository, '/push_rule'), PushRule);
  const isHidden = rule === undefined || (rule !== null && rule.reject_unsigned_commits === undefined);
  if (isHidden) return unknown('Push rules are a feature of GitLab Premium, or the token may not see them.');
  return judged(
    rule?.reject_unsigned_commits === true,
    'Commits without a signature are refused.',
    'Commits without a signature are accepted.',
  );
}

async function jobTokensOf({ ctx, repository }: Subject): Promise<Said> {
  const scope = await setting(ctx, projectPath(repository, '/job_token_scope'), JobTokenScope);
  if (scope === undefined)
    return unknown('Which projects may use their job tokens here is told only to the role Maintainer.');
  return judged(
    scope.inbound_enabled,
    'Only projects that are listed may reach this one by their job tokens.',
    'Pipelines of every project may reach this one by their job tokens.',
  );
}

function forksOf({ project }: Subject): Said {
  const { ci_allow_fork_pipelines_to_run_in_parent_project: isAllowed, visibility } = project;
  if (isAllowed === undefined || isAllowed === null) return unknown('GitLab tells it only to members of the project.');
  const isSafe = !isAllowed || visibility === 'private';
  return judged(
    isSafe,
    isAllowed ? 'Only members of this private project can fork it.' : 'Pipelines of forks do not run in this project.',
    'A pipeline of a fork can be run in this project, with its variables and runners.',
  );
}

async function twoFactorOf({ ctx, project }: Subject): Promise<Said> {
  const { namespace } = project;
  if (namespace?.kind !== 'group') {
    return unknown('The project belongs to a person, and GitLab does not tell whether they use a second factor.');
  }
  const [root = namespace.full_path] = namespace.full_path.split('/');
  const group = await setting(ctx, `/groups/${segment(root)}`, Group);
  if (group?.require_two_factor_authentication === true) {
    return { state: 'ok', detail: `The group "${root}" requires a second factor of its members.` };
  }
  if (group?.require_two_factor_authentication === undefined) {
    return unknown(`The token may not see the settings of the group "${root}".`);
  }
  return unknown(
    `The group "${root}" does not require a second factor, and GitLab does not tell which members have one.`,
  );
}

async function deployKeysOf({ ctx, repository }: Subject): Promise<Said> {
  const keys = await settingRows(ctx, projectPath(repository, '/deploy_keys'), DeployKey);
  if (keys === undefined) return unknown('Deploy keys are told only to members with the role Maintainer.');
  const stale = keys.filter((key) => isStale(key, ctx.now())).map(({ title }) => `"${title.slice(0, 100)}"`);
  return judged(
    stale.length === 0,
    keys.length === 0 ? 'There are no deploy keys.' : 'All deploy keys are in use, young or of limited life.',
    `Deploy keys that should be removed or renewed: ${stale.slice(0, 5).join(', ')}${stale.length > 5 ? ', …' : ''}.`,
  );
}

function isStale(
  { created_at: made, expires_at: ends, last_used_at: used }: Static<typeof DeployKey>,
  now: Date,
): boolean {
  const daysSince = (date: string): number => (now.getTime() - Date.parse(date)) / DAY_MS;
  if (ends) return daysSince(ends) > 0;
  return used ? daysSince(used) > UNUSED_DAYS : daysSince(made) > OLD_DAYS;
}
