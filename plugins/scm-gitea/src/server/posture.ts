import {
  answerJson,
  type Ctx,
  isConnectorError,
  type Json,
  type PostureAnswer,
  type PostureCheck,
  readAnswer,
  type ScmRead,
  unpinnedActions,
} from '@breakwater/sdk';
import type { GiteaForm } from '../plugin.ts';
import { BranchRules, Content, DeployKeys, Protection } from './answers.ts';
import { type NamedRepository, nameRepository } from './requests.ts';

type Http = Ctx<GiteaForm>['http'];

interface Subject extends NamedRepository {
  readonly http: Http;
}

type Answer = Omit<PostureAnswer, 'check'>;

/** What the connection may not see is null. Other failures go on. */
async function ask({ http }: Subject, path: string, query = {}): Promise<Json | null> {
  try {
    return await http.json({ path, query });
  } catch (error) {
    if (isConnectorError(error) && ['scope', 'config', 'unsupported'].includes(error.code)) return null;
    throw error;
  }
}

/**
 * What Gitea has settings for. Its workflows have no level of their own, those of forks get no secrets, and its API does not tell who has a
 * second factor. Source: Gitea API 1.22, branches, branch protections, deploy keys, contents.
 */
export const posture: NonNullable<ScmRead<GiteaForm>['posture']> = async ({ http }, repository) => {
  const subject = { http, ...(await nameRepository(http, repository)) };
  const branch = subject.facts.default_branch ?? '';
  if (branch === '') return [];
  return [
    ...(await branchAnswers(subject, branch)),
    { check: 'unpinned-actions', ...(await pinning(subject, branch)) },
    { check: 'stale-deploy-keys', ...(await deployKeys(subject)) },
  ];
};

async function branchAnswers(subject: Subject, branch: string): Promise<PostureAnswer[]> {
  const { path, facts } = subject;
  const url = `${facts.html_url}/settings/branches`;
  const seen = await ask(subject, `${path}/branches/${branch.split('/').map(encodeURIComponent).join('/')}`);
  const rules = seen === null ? null : readAnswer(BranchRules, seen);
  const name = rules?.effective_branch_protection_name || branch;
  const list = rules?.protected ? await ask(subject, `${path}/branch_protections/${encodeURIComponent(name)}`) : null;
  const own = list === null ? null : readAnswer(Protection, list);
  const isProtected = rules?.protected === true;
  const approvals = rules?.required_approvals ?? own?.required_approvals ?? 0;
  /** @param isOk null: it cannot be seen */
  const of = (check: PostureCheck, isOk: boolean | null, [good, bad]: [string, string]): PostureAnswer => {
    const detail = isOk === null ? 'The connection may not see the protection of the branch.' : isOk ? good : bad;
    return { check, branch, state: isOk === null ? 'unknown' : isOk ? 'ok' : 'at-risk', detail, url };
  };
  const known = (isOk: boolean): boolean | null => (rules === null ? null : isOk);
  const set = (isOk: boolean | undefined): boolean | null =>
    isProtected && own === null ? null : known(isOk === true);
  return [
    of('branch-protection', known(isProtected), [`"${branch}" is protected.`, `Nothing protects "${branch}".`]),
    of('required-reviews', known(isProtected && approvals > 0), [
      `A change of "${branch}" needs approvals: ${approvals}.`,
      `"${branch}" takes changes that nobody has reviewed.`,
    ]),
    of('signed-commits', set(own?.require_signed_commits), [
      `"${branch}" takes signed commits only.`,
      `"${branch}" takes commits without a signature.`,
    ]),
    of('force-pushes', set(isProtected && own?.enable_force_push !== true), [
      `The history of "${branch}" cannot be rewritten.`,
      `The history of "${branch}" can be rewritten by a force push.`,
    ]),
  ];
}

/** More workflows than that are not read. */
const MOST_WORKFLOWS = 100;

async function pinning(subject: Subject, branch: string): Promise<Answer> {
  const { http, path } = subject;
  const query = { ref: branch };
  const found = new Set<string>();
  for (const folder of ['.gitea/workflows', '.github/workflows']) {
    const answer = await http.request({ path: `${path}/contents/${folder}`, query, accept: [404] });
    const rows = answer.status === 404 ? [] : readAnswer(Content, answerJson(answer));
    const files = (Array.isArray(rows) ? rows : []).filter(
      ({ type, name }) => type === 'file' && /\.ya?ml$/i.test(name),
    );
    for (const { name } of files.slice(0, MOST_WORKFLOWS)) {
      const { body } = await http.request({ path: `${path}/raw/${folder}/${encodeURIComponent(name)}`, query });
      for (const action of unpinnedActions(new TextDecoder().decode(body))) found.add(action);
    }
  }
  if (found.size === 0) return { state: 'ok', detail: 'No workflow uses an action that is not pinned to a commit.' };
  const named = [...found].sort();
  const more = named.length > 5 ? ` and ${named.length - 5} more` : '';
  return {
    state: 'at-risk',
    detail: `Workflows use actions that may change under their name: ${named.slice(0, 5).join(', ')}${more}.`,
  };
}

/** Gitea's API does not say when a key was used last. */
async function deployKeys(subject: Subject): Promise<Answer> {
  const url = `${subject.facts.html_url}/settings/keys`;
  const list = await ask(subject, `${subject.path}/keys`, { limit: 50 });
  if (list === null) return { state: 'unknown', detail: 'The connection may not see deploy keys.', url };
  const { length } = readAnswer(DeployKeys, list);
  return length === 0
    ? { state: 'ok', detail: 'There are no deploy keys.', url }
    : { state: 'unknown', detail: `There are deploy keys (${length}); Gitea does not tell when they were used.`, url };
}
