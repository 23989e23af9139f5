// no text in this file: what a finding says is stored as its rule has it
import { type NormalizedFinding, POSTURE_CHECKS, type PostureCheck, type Severity } from '@breakwater/sdk';
import { msg } from './message.ts';

/** Tool of findings about the settings of a repository at its provider; their rule is the setting. */
export const POSTURE_TOOL = 'posture';
/** What the tool is called. */
export const POSTURE_TITLE = 'Source-control posture';

/** What one setting means where it is wrong. */
export interface PostureTopic {
  readonly title: string;
  readonly description: string;
  readonly mitigation: string;
  readonly severity: Severity;
  /** SLSA v1.0 threats, A-H. */
  readonly slsa: readonly string[];
  /** OWASP CI/CD risks by number, 1-10. */
  readonly cicd: readonly number[];
  readonly cwe?: number;
  /** Group of settings: category of the policy. */
  readonly category: 'Branches' | 'Pipelines' | 'Access';
}

/**
 * Every setting that is asked for. Source: OWASP Top 10 CI/CD Security Risks (2022), SLSA v1.0 threats, CIS Software Supply Chain Security Guide
 * 1.0 sections 1.1 to 1.3 and 2.3.
 */
export const POSTURE_TOPICS: Readonly<Record<PostureCheck, PostureTopic>> = {
  'branch-protection': {
    title: 'The default branch is not protected',
    description: 'Without protection everybody who may write to the repository changes what is built and released.',
    mitigation: msg(
      'Protect the default branch: no direct pushes, changes come by pull request and pass their checks.',
    ),
    ...{ severity: 'high', slsa: ['A'], cicd: [1], cwe: 284, category: 'Branches' },
  },
  'required-reviews': {
    title: 'Changes need no review',
    description:
      'One person, or one stolen account, brings a change into the default branch without anybody else seeing it.',
    mitigation: msg(
      'Require at least one approving review for changes of the default branch, also for administrators.',
    ),
    ...{ severity: 'medium', slsa: ['A'], cicd: [1], category: 'Branches' },
  },
  'signed-commits': {
    title: 'Commits without a signature are accepted',
    description: 'The author of a commit is a text that anybody can write. Only a signature shows who made it.',
    mitigation: msg('Require signed commits on the default branch, once everybody who commits has a signing key.'),
    ...{ severity: 'low', slsa: ['A'], cicd: [9], cwe: 345, category: 'Branches' },
  },
  'force-pushes': {
    title: 'The history of the default branch can be rewritten',
    description: 'A force push replaces commits that were reviewed and removes the trace of what was there before.',
    mitigation: msg('Forbid force pushes and the deletion of the default branch.'),
    ...{ severity: 'medium', slsa: ['A'], cicd: [1], category: 'Branches' },
  },
  'default-workflow-permissions': {
    title: 'Tokens of pipelines may do more than they need',
    description:
      'Code that runs in a pipeline, such as a compromised action or dependency, can change the repository with its token.',
    mitigation: msg('Let the token of pipelines read only by default, and have each workflow ask for what it needs.'),
    ...{ severity: 'medium', slsa: ['E'], cicd: [5], cwe: 250, category: 'Pipelines' },
  },
  'unpinned-actions': {
    title: 'Workflows use actions that are not pinned to a commit',
    description:
      'A tag or branch of an action can be moved. Whoever controls it then runs code in the pipeline, with its secrets.',
    mitigation: msg('Name each action by the whole hash of a commit and keep it up to date with a bot.'),
    ...{ severity: 'medium', slsa: ['D', 'E'], cicd: [3, 8], cwe: 829, category: 'Pipelines' },
  },
  'secrets-in-forks': {
    title: 'Pipelines of forks get secrets or a token that may write',
    description:
      'Anybody who may fork the repository can read its secrets by a change of the pipeline in a pull request.',
    mitigation: msg('Give pipelines of forks neither secrets nor write access, and require approval before they run.'),
    ...{ severity: 'high', slsa: ['E'], cicd: [4, 6], cwe: 522, category: 'Pipelines' },
  },
  'admins-without-two-factor': {
    title: 'Administrators have no second factor',
    description:
      'A password that was guessed, reused or phished is enough to take over everything that they administer.',
    mitigation: msg('Require two-factor authentication for the whole organisation.'),
    ...{ severity: 'high', slsa: ['B'], cicd: [2], cwe: 308, category: 'Access' },
  },
  'stale-deploy-keys': {
    title: 'Deploy keys are not used any more',
    description: 'A key that nobody uses is watched by nobody. Whoever finds it has access to the code.',
    mitigation: msg('Remove deploy keys that are not used, and replace the others regularly.'),
    ...{ severity: 'low', slsa: ['B'], cicd: [2, 6], category: 'Access' },
  },
};

/** What a setting is called where it is no finding. */
export const POSTURE_LABELS: Readonly<Record<PostureCheck, string>> = {
  'branch-protection': msg('Branch protection'),
  'required-reviews': msg('Required reviews'),
  'signed-commits': msg('Signed commits'),
  'force-pushes': msg('Force pushes'),
  'default-workflow-permissions': msg('Permissions of pipelines'),
  'unpinned-actions': msg('Pinned actions'),
  'secrets-in-forks': msg('Secrets in forks'),
  'admins-without-two-factor': msg('Two-factor of administrators'),
  'stale-deploy-keys': msg('Deploy keys'),
};

export const isPostureCheck = (name: string): name is PostureCheck => POSTURE_CHECKS.some((check) => check === name);

/** The finding of a setting that is wrong. Pure: the same answer gives the same finding. @param detail what is set, for people */
export const postureFinding = (
  check: PostureCheck,
  { detail, url }: { detail: string; url: string | null },
): NormalizedFinding => {
  const { title, description, mitigation, severity, cicd, cwe, category } = POSTURE_TOPICS[check];
  return {
    kind: 'finding',
    ruleId: check,
    title,
    type: 'CI/CD',
    severity,
    description: `${description}\n\n${detail}`,
    mitigation: url === null ? mitigation : `${mitigation}\n\nWhere it is set: ${url}`,
    ...(cwe === undefined ? {} : { cwe: [cwe] }),
    ...(url === null ? {} : { references: [url] }),
    policy: {
      name: POSTURE_TITLE,
      category,
      control: cicd.map((number) => `CICD-SEC-${number}`).join(', '),
    },
  };
};
