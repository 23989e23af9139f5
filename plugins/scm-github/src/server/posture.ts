import {
  answerJson,
  type Ctx,
  isConnectorError,
  type Json,
  type PostureAnswer,
  type PostureCheck,
  readAnswer,
  type ScmRead,
  type Static,
} from '@breakwater/sdk';
import type { GithubForm } from '../plugin.ts';
import {
  ActionsPermissions,
  DeployKeys,
  ForkWorkflows,
  Members,
  ProtectedBranch,
  Protection,
  Rules,
  WorkflowPermissions,
} from './answers.ts';
import { HEADERS, PAGE, type RepositoryFacts, readRepository, refusalWords, repositoryPath } from './requests.ts';
import { readUnpinnedActions } from './workflows.ts';

type Http = Ctx<GithubForm>['http'];

/** What is asked, and of what. */
interface Subject {
  readonly http: Http;
  /** Root of the repository's resources. */
  readonly path: string;
  readonly facts: RepositoryFacts;
  readonly now: Date;
}

type Answer = Omit<PostureAnswer, 'check'>;

const DAY_MS = 86_400_000;
/** A key that nobody used for so long is taken for forgotten. */
const STALE_DAYS = 90;

/** What a question reads, and null where the connection may not see it. Other failures go on. */
async function visible<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (isConnectorError(error) && ['scope', 'config', 'unsupported'].includes(error.code)) return null;
    throw error;
  }
}

const ask = ({ http }: Pick<Subject, 'http'>, path: string, query = {}): Promise<Json | null> =>
  visible(() => http.json({ path, query, headers: HEADERS }));

/** Source: GitHub REST API, version 2022-11-28: branch protection, rules, Actions permissions, deploy keys, members. */
export const posture: NonNullable<ScmRead<GithubForm>['posture']> = async ({ http, now }, repository) => {
  const facts = await readRepository(http, repository);
  const subject = { http, path: repositoryPath(repository), facts, now: now() };
  const of = (check: PostureCheck, answer: Answer): PostureAnswer => ({ check, ...answer });
  return [
    ...(await branchAnswers(subject)),
    of('default-workflow-permissions', await workflowPermissions(subject)),
    of('unpinned-actions', await pinning(subject)),
    of('secrets-in-forks', await secretsInForks(subject)),
    of('admins-without-two-factor', await twoFactor(subject)),
    of('stale-deploy-keys', await deployKeys(subject)),
  ];
};

/** Rules of a branch, from its own settings and from rulesets; either may ask for a thing. */
export interface BranchRules {
  readonly isProtected: boolean;
  readonly reviews: number;
  readonly isSigned: boolean;
  readonly isUnforced: boolean;
  /** Its own settings cannot be seen, so that what no ruleset asks for may still be asked for. */
  readonly isHidden: boolean;
}

async function branchAnswers(subject: Subject): Promise<PostureAnswer[]> {
  const { facts } = subject;
  const branch = facts.default_branch;
  const rules = await branchRules(subject, encodeURIComponent(branch));
  const of = (check: PostureCheck, isOk: boolean, [good, bad]: [string, string]): PostureAnswer => {
    const isUnknown = !isOk && rules.isHidden && check !== 'branch-protection';
    return {
      check,
      branch,
      state: isOk ? 'ok' : isUnknown ? 'unknown' : 'at-risk',
      detail: isOk ? good : isUnknown ? hidden('Administration') : bad,
      url: `${facts.html_url}/settings/branches`,
    };
  };
  return [
    of('branch-protection', rules.isProtected, [`${branch} is protected.`, `Nothing protects ${branch}.`]),
    of('required-reviews', rules.reviews > 0, [
      `A change of ${branch} needs approving reviews: ${rules.reviews}.`,
      `${branch} takes changes that nobody has reviewed.`,
    ]),
    of('signed-commits', rules.isSigned, [
      `${branch} takes signed commits only.`,
      `${branch} takes commits without a signature.`,
    ]),
    of('force-pushes', rules.isUnforced, [
      `The history of ${branch} cannot be rewritten.`,
      `The history of ${branch} can be rewritten by a force push.`,
    ]),
  ];
}

/** @param branch as a part of an address */
export async function branchRules(subject: Pick<Subject, 'http' | 'path'>, branch: string): Promise<BranchRules> {
  const { path } = subject;
  const list = await ask(subject, `${path}/rules/branches/${branch}`, PAGE);
  const rules = list === null ? [] : readAnswer(Rules, list);
  const state = await ask(subject, `${path}/branches/${branch}`);
  const isProtected = state !== null && readAnswer(ProtectedBranch, state).protected;
  const settings = isProtected ? await ownProtection(subject, `${path}/branches/${branch}/protection`) : {};
  const own = settings ?? {};
  const has = (type: string): boolean => rules.some((rule) => rule.type === type);
  const counts = [own.required_pull_request_reviews, ...rules.map(({ parameters }) => parameters)].map(
    (one) => one?.required_approving_review_count ?? 0,
  );
  return {
    isProtected: isProtected || rules.length > 0,
    reviews: Math.max(...counts),
    isSigned: has('required_signatures') || own.required_signatures?.enabled === true,
    isUnforced: has('non_fast_forward') || own.allow_force_pushes?.enabled === false,
    isHidden: state === null || list === null || settings === null,
  };
}

/**
 * What the branch's own settings ask for; null where the connection may not see them. A branch that only rulesets protect has none, which
 * GitHub says in a 404 of its own.
 */
async function ownProtection({ http }: Pick<Subject, 'http'>, path: string): Promise<Static<typeof Protection> | null> {
  return visible(async () => {
    const answer = await http.request({ path, headers: HEADERS, accept: [404] });
    if (answer.status !== 404) return readAnswer(Protection, answerJson(answer));
    return refusalWords(answer).startsWith('Branch not protected') ? {} : null;
  });
}

function hidden(permission: string): string {
  return `The connection may not see it: the app lacks "${permission}" (read).`;
}

async function workflowPermissions(subject: Subject): Promise<Answer> {
  const url = `${subject.facts.html_url}/settings/actions`;
  const settings = await ask(subject, `${subject.path}/actions/permissions/workflow`);
  if (settings === null) return { state: 'unknown', detail: hidden('Administration'), url };
  const { default_workflow_permissions: level, can_approve_pull_request_reviews: mayApprove } = readAnswer(
    WorkflowPermissions,
    settings,
  );
  const approves = mayApprove ? ' Workflows may approve pull requests.' : '';
  const detail =
    level === 'read'
      ? `The token of every workflow may read.${approves}`
      : `The token of every workflow may write.${approves}`;
  return level === 'read' && !mayApprove
    ? { state: 'ok', detail: 'The token of workflows may only read, unless a workflow asks for more.', url }
    : { state: 'at-risk', detail, url };
}

async function pinning(subject: Subject): Promise<Answer> {
  const { http, path, facts } = subject;
  const url = `${facts.html_url}/settings/actions`;
  const settings = await ask(subject, `${path}/actions/permissions`);
  const actions = settings === null ? null : readAnswer(ActionsPermissions, settings);
  if (actions?.enabled === false) return { state: 'ok', detail: 'GitHub Actions is switched off.', url };
  if (actions?.sha_pinning_required === true) {
    return { state: 'ok', detail: 'Only actions that are pinned to a commit may run.', url };
  }
  const found = await visible(() => readUnpinnedActions(http, { path, branch: facts.default_branch }));
  if (found === null) return { state: 'unknown', detail: hidden('Contents'), url };
  if (found.length === 0)
    return { state: 'ok', detail: 'No workflow uses an action that is not pinned to a commit.', url };
  const named = found.slice(0, 5).join(', ');
  const more = found.length > 5 ? ` and ${found.length - 5} more` : '';
  if (actions === null) {
    const detail = `Workflows use actions that may change under their name: ${named}${more}. Whether they may run cannot be seen: the app lacks "Administration" (read).`;
    return { state: 'unknown', detail, url };
  }
  return { state: 'at-risk', detail: `Workflows use actions that may change under their name: ${named}${more}.`, url };
}

async function secretsInForks(subject: Subject): Promise<Answer> {
  const { path, facts } = subject;
  const url = `${facts.html_url}/settings/actions`;
  if (!facts.private) {
    return { state: 'ok', detail: 'GitHub gives workflows of forks of a public repository no secrets.', url };
  }
  const settings = await ask(subject, `${path}/actions/permissions/fork-pr-workflows-private-repos`);
  if (settings === null) return { state: 'unknown', detail: hidden('Administration'), url };
  const forks = readAnswer(ForkWorkflows, settings);
  const runs = forks.run_workflows_from_fork_pull_requests;
  if (runs && forks.send_secrets_and_variables) {
    return { state: 'at-risk', detail: 'Workflows of forks get the secrets of the repository.', url };
  }
  return runs && forks.send_write_tokens_to_workflows
    ? { state: 'at-risk', detail: 'Workflows of forks get a token that may write.', url }
    : { state: 'ok', detail: 'Workflows of forks get no secrets and no token that may write.', url };
}

/** GitHub tells owners of an organisation alone; of a single account it tells nothing. */
async function twoFactor(subject: Subject): Promise<Answer> {
  const { login, type } = subject.facts.owner;
  if (type !== 'Organization') {
    return { state: 'unknown', detail: 'GitHub does not tell whether an account of a person has a second factor.' };
  }
  const url = `https://github.com/orgs/${encodeURIComponent(login)}/people`;
  const query = { filter: '2fa_disabled', role: 'admin', ...PAGE };
  const list = await visible(async () => {
    const path = `/orgs/${encodeURIComponent(login)}/members`;
    const answer = await subject.http.request({ path, query, headers: HEADERS, accept: [422] });
    return answer.status === 422 ? null : readAnswer(Members, answerJson(answer));
  });
  if (list === null) return { state: 'unknown', detail: 'GitHub tells it to owners of the organisation only.', url };
  if (list.length === 0) return { state: 'ok', detail: 'Every owner of the organisation has a second factor.', url };
  return { state: 'at-risk', detail: `Owners of the organisation without a second factor: ${list.length}.`, url };
}

async function deployKeys(subject: Subject): Promise<Answer> {
  const { http, path, facts, now } = subject;
  const url = `${facts.html_url}/settings/keys`;
  const stale = await visible(async () => {
    const found: string[] = [];
    for await (const page of http.pages({ path: `${path}/keys`, query: PAGE, headers: HEADERS }, { type: 'link' })) {
      for (const { title, created_at, last_used } of readAnswer(DeployKeys, page)) {
        const days = (now.getTime() - Date.parse(last_used ?? created_at)) / DAY_MS;
        if (days > STALE_DAYS) found.push(title);
      }
    }
    return found;
  });
  if (stale === null) return { state: 'unknown', detail: hidden('Administration'), url };
  return stale.length === 0
    ? { state: 'ok', detail: `Every deploy key was used within ${STALE_DAYS} days.`, url }
    : { state: 'at-risk', detail: `Deploy keys that nobody has used for ${STALE_DAYS} days: ${stale.length}.`, url };
}
