import {
  answerJson,
  ConnectorError,
  type Ctx,
  type Json,
  NOTHING_TO_SET,
  type PostureCheck,
  readAnswer,
  type SettingChange,
  type SettingStep,
  type Static,
  settingsBy,
} from '@breakwater/sdk';
import type { GithubForm } from '../plugin.ts';
import { Ruleset, RulesetRows, WorkflowPermissions } from './answers.ts';
import { type BranchRules, branchRules } from './posture.ts';
import { HEADERS, howToGrant, type OpenRepository, openRepository, PAGE, refusalWords } from './requests.ts';

/** The ruleset that is ours: by this name it is found again. */
const RULESET = 'Breakwater';
const RIGHT = 'Administration';

type Http = Ctx<GithubForm>['http'];
type Rule = NonNullable<Static<typeof Ruleset>['rules']>[number];

interface Wanted {
  readonly rules: readonly Rule[];
  has(rules: BranchRules): boolean;
  change(branch: string): readonly SettingChange[];
}

const pullRequest = (required_approving_review_count: number): Rule => ({
  type: 'pull_request',
  parameters: {
    required_approving_review_count,
    dismiss_stale_reviews_on_push: false,
    require_code_owner_review: false,
    require_last_push_approval: false,
    required_review_thread_resolution: false,
  },
});

const PUSHES = { from: 'by all who may write', to: 'by nobody: by pull request' } as const;

const WANTED: Partial<Record<PostureCheck, Wanted>> = {
  'branch-protection': {
    rules: [pullRequest(0), { type: 'deletion' }],
    has: ({ isProtected }) => isProtected,
    change: (branch) => [
      { setting: `Direct pushes to "${branch}"`, ...PUSHES },
      { setting: `Deletion of "${branch}"`, from: 'possible', to: 'refused' },
    ],
  },
  'required-reviews': {
    rules: [pullRequest(1)],
    has: ({ reviews }) => reviews > 0,
    change: (branch) => [
      { setting: `Direct pushes to "${branch}"`, ...PUSHES },
      { setting: `Approvals that a pull request into "${branch}" needs`, from: '0', to: '1' },
    ],
  },
  'signed-commits': {
    rules: [{ type: 'required_signatures' }],
    has: ({ isSigned }) => isSigned,
    change: (branch) => [{ setting: `Commits of "${branch}" without a signature`, from: 'accepted', to: 'refused' }],
  },
  'force-pushes': {
    rules: [{ type: 'non_fast_forward' }],
    has: ({ isUnforced }) => isUnforced,
    change: (branch) => [{ setting: `Force pushes to "${branch}"`, from: 'accepted', to: 'refused' }],
  },
};

/**
 * Rules of the default branch go into a ruleset of ours: rulesets add up, so that nothing that others ask for is touched.
 * Source: GitHub REST API, version 2022-11-28: "Create a repository ruleset", "Update a repository ruleset", "Set default workflow
 * permissions for a repository".
 */
export const settings = settingsBy<GithubForm>(
  ['branch-protection', 'required-reviews', 'signed-commits', 'force-pushes', 'default-workflow-permissions'],
  async ({ http }, { repository, check }) => {
    const open = await openRepository(http, repository, RIGHT);
    if (check === 'default-workflow-permissions') return workflowStep(open);
    const wanted = WANTED[check];
    if (wanted === undefined) throw new ConnectorError('unsupported', `GitHub has no setting for "${check}".`);
    const branch = open.facts.default_branch;
    const rules = await branchRules({ http, path: open.path }, encodeURIComponent(branch));
    if (rules.isHidden) {
      throw new ConnectorError('scope', 'The connection may not see the rules of the branch, and so not change them.', {
        help: howToGrant(RIGHT),
      });
    }
    if (wanted.has(rules)) return NOTHING_TO_SET;
    return { changes: wanted.change(branch), write: () => writeRules(http, open, wanted.rules) };
  },
);

async function findOwn(http: Http, path: string): Promise<Static<typeof Ruleset> | null> {
  const query = { ...PAGE, includes_parents: 'false' };
  for await (const page of http.pages({ path, query, headers: HEADERS }, { type: 'link' })) {
    const row = readAnswer(RulesetRows, page).find(({ name }) => name === RULESET);
    if (row !== undefined) return readAnswer(Ruleset, await http.json({ path: `${path}/${row.id}`, headers: HEADERS }));
  }
  return null;
}

const approvalsOf = ({ parameters }: Rule): number => Number(parameters?.['required_approving_review_count'] ?? 0);

/** Rules that are there stay; of two about pull requests, the one that asks for more. */
function together(known: readonly Rule[], added: readonly Rule[]): Rule[] {
  const rules = new Map(known.map((rule) => [rule.type, rule]));
  for (const rule of added) {
    const before = rules.get(rule.type);
    if (before === undefined) rules.set(rule.type, rule);
    else if (approvalsOf(before) < approvalsOf(rule)) {
      const required_approving_review_count = approvalsOf(rule);
      rules.set(rule.type, { ...before, parameters: { ...before.parameters, required_approving_review_count } });
    }
  }
  return [...rules.values()];
}

async function writeRules(http: Http, open: OpenRepository, added: readonly Rule[]): Promise<void> {
  const path = `${open.path}/rulesets`;
  const own = await findOwn(http, path);
  const rules: Json = together(own?.rules ?? [], added).map(({ type, parameters }) =>
    parameters === undefined ? { type } : { type, parameters },
  );
  const body: Json = {
    ...{ name: RULESET, target: 'branch', enforcement: 'active', rules },
    bypass_actors: own?.bypass_actors ?? [],
    conditions: { ref_name: { include: ['~DEFAULT_BRANCH'], exclude: [] } },
  };
  const answer = await open.ask(RIGHT, {
    ...(own === null ? { method: 'POST', path } : { method: 'PUT', path: `${path}/${own.id}` }),
    body,
    accept: [404, 422],
  });
  if (answer.status < 300) {
    readAnswer(Ruleset, answerJson(answer));
    return;
  }
  throw new ConnectorError('config', `GitHub took no rules for ${open.facts.full_name}: ${refusalWords(answer)}`, {
    help: 'Rules for branches of a private repository need a paid plan of GitHub.',
  });
}

async function workflowStep(open: OpenRepository): Promise<SettingStep> {
  const path = `${open.path}/actions/permissions/workflow`;
  const now = readAnswer(WorkflowPermissions, await open.json(RIGHT, { path }));
  const changes: SettingChange[] = [];
  if (now.default_workflow_permissions !== 'read')
    changes.push({ setting: 'The token of workflows', from: 'may read and write', to: 'may read' });
  if (now.can_approve_pull_request_reviews)
    changes.push({ setting: 'Workflows that approve pull requests', from: 'allowed', to: 'refused' });
  const body = { default_workflow_permissions: 'read', can_approve_pull_request_reviews: false };
  return {
    changes,
    write: async () => {
      const answer = await open.ask(RIGHT, { method: 'PUT', path, body, accept: [409] });
      if (answer.status === 409)
        throw new ConnectorError('config', 'The organisation decides what tokens of workflows may do.', {
          help: 'Change it there: Settings, Actions, General, Workflow permissions.',
        });
    },
  };
}
