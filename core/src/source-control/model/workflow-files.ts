import { sayEnglish } from '../../platform/model/translator.ts';
/**
 * The pipeline that scans a repository and uploads the report, for each provider of source control. Pure: what exists at the provider is
 * asked before by its paths, and a file that exists is never written over.
 */

export type WorkflowProvider = 'github' | 'gitlab' | 'bitbucket_cloud' | 'gitea';

/** Name of the secret of the pipeline that holds an API token of the scope `upload`. */
export const WORKFLOW_SECRET = 'BREAKWATER_TOKEN';

export interface WorkflowRequest {
  readonly provider: WorkflowProvider;
  /** Of ours, in the address of the upload. */
  readonly repositoryId: string;
  /** Address of this server, http or https. */
  readonly serverUrl: string;
  readonly defaultBranch: string;
  /** Which of `workflowPaths` exist on the default branch. */
  readonly existing: readonly string[];
}

export interface WorkflowFile {
  readonly path: string;
  readonly content: string;
}

export interface WorkflowPlan {
  /** To be committed; empty where everything is there already. */
  readonly files: readonly WorkflowFile[];
  /** What a person still has to do, as lines of Markdown, in order. */
  readonly steps: readonly string[];
}

const GITLAB_ROOT = '.gitlab-ci.yml';
const GITLAB_OWN = '.gitlab/breakwater.yml';
const BITBUCKET_ROOT = 'bitbucket-pipelines.yml';
const BITBUCKET_OWN = '.breakwater/bitbucket-step.yml';

const PATHS: Readonly<Record<WorkflowProvider, readonly string[]>> = {
  github: ['.github/workflows/breakwater.yml'],
  gitea: ['.gitea/workflows/breakwater.yml'],
  gitlab: [GITLAB_OWN, GITLAB_ROOT],
  bitbucket_cloud: [BITBUCKET_ROOT, BITBUCKET_OWN],
};

/** Files of a provider whose existence `planWorkflow` has to know. */
export function workflowPaths(provider: WorkflowProvider): readonly string[] {
  return PATHS[provider];
}

/** actions/checkout v5.0.0, by its commit: a tag can be moved. */
const CHECKOUT = 'actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0';
const SEMGREP = 'semgrep==1.163.0';
const IMAGE = 'python:3.13-slim';
const REPORT = 'breakwater.sarif';

/** What to commit and what is left to do. */
export function planWorkflow(request: WorkflowRequest): WorkflowPlan {
  const { provider, existing } = request;
  const { files, steps } = PLANS[provider](request);
  return { files: files.filter(({ path }) => !existing.includes(path)), steps: [SECRET_STEPS[provider], ...steps] };
}

const SECRET_STEPS: Readonly<Record<WorkflowProvider, string>> = {
  github: sayEnglish(
    'Make an API token of the scope Upload, and keep it as the secret `{name}`: Settings, Secrets and variables, Actions.',
    { name: WORKFLOW_SECRET },
  ),
  gitea: sayEnglish(
    'Make an API token of the scope Upload, and keep it as the secret `{name}`: Settings, Actions, Secrets.',
    { name: WORKFLOW_SECRET },
  ),
  gitlab: sayEnglish(
    'Make an API token of the scope Upload, and keep it as the variable `{name}`, masked and hidden: Settings, CI/CD, Variables.',
    { name: WORKFLOW_SECRET },
  ),
  bitbucket_cloud: sayEnglish(
    'Make an API token of the scope Upload, and keep it as the secured variable `{name}`: Repository settings, Repository variables.',
    { name: WORKFLOW_SECRET },
  ),
};

const PLANS: Readonly<Record<WorkflowProvider, (request: WorkflowRequest) => WorkflowPlan>> = {
  github: (request) => plain(PATHS.github, actionsFile(request)),
  gitea: (request) => plain(PATHS.gitea, actionsFile(request)),
  gitlab: (request) => ({
    files: [
      { path: GITLAB_OWN, content: gitlabFile(request) },
      { path: GITLAB_ROOT, content: `include:\n  - local: /${GITLAB_OWN}\n` },
    ],
    steps: request.existing.includes(GITLAB_ROOT)
      ? [`\`${GITLAB_ROOT}\` was left as it is. Add to its \`include\`: \`- local: /${GITLAB_OWN}\`.`]
      : [],
  }),
  bitbucket_cloud: bitbucketPlan,
};

function plain([path = '']: readonly string[], content: string): WorkflowPlan {
  return { files: [{ path, content }], steps: [] };
}

/** A text of YAML: its double-quoted form is that of JSON. */
const quoted = (text: string): string => JSON.stringify(text);

/** A branch as GitHub and Gitea read patterns, in which these signs mean something. */
const branchPattern = (branch: string): string => quoted(branch.replaceAll(/[*?+[\]!\\]/g, '\\$&'));

/** Nothing from outside stands in the commands: they read it from variables. The token is no argument, which every process could see. */
function commands(branch: string): string[] {
  return [
    'python3 -m venv /tmp/breakwater',
    `/tmp/breakwater/bin/pip install --quiet --disable-pip-version-check ${quoted(SEMGREP)}`,
    `/tmp/breakwater/bin/semgrep scan --config p/default --metrics off --sarif --output ${REPORT}`,
    `printf 'Authorization: Bearer %s' "$${WORKFLOW_SECRET}" | curl --fail-with-body --silent --show-error --retry 3 --header @- --form "file=@${REPORT}" --form-string "branch=${branch}" "$BREAKWATER_URL/api/v1/upload_scan/$BREAKWATER_REPOSITORY?wait=60"`,
  ];
}

const indented = (lines: readonly string[], spaces: number): string =>
  lines.map((line) => `${' '.repeat(spaces)}${line}`).join('\n');

/** GitHub Actions; Gitea reads the same. Pull requests of forks get no secret, so that they are left out. */
function actionsFile({ repositoryId, serverUrl, defaultBranch }: WorkflowRequest): string {
  const [venv = '', install = '', scan = '', upload = ''] = commands(`\${GITHUB_HEAD_REF:-$GITHUB_REF_NAME}`);
  return `name: Breakwater
on:
  push:
    branches: [${branchPattern(defaultBranch)}]
  pull_request:
  workflow_dispatch:
permissions:
  contents: read
jobs:
  scan:
    if: github.event_name != 'pull_request' || github.event.pull_request.head.repo.full_name == github.repository
    runs-on: ubuntu-latest
    timeout-minutes: 30
    steps:
      - uses: ${CHECKOUT}
        with:
          persist-credentials: false
      - name: Scan
        run: |
${indented([venv, install, scan], 10)}
      - name: Upload
        env:
          ${WORKFLOW_SECRET}: \${{ secrets.${WORKFLOW_SECRET} }}
          BREAKWATER_URL: ${quoted(withoutSlash(serverUrl))}
          BREAKWATER_REPOSITORY: ${quoted(repositoryId)}
        run: |
${indented([upload], 10)}
`;
}

/** Debian's image of Python has no curl. */
const INSTALL_CURL = 'apt-get update -qq && apt-get install -qq --yes --no-install-recommends curl ca-certificates git';

function gitlabFile({ repositoryId, serverUrl }: WorkflowRequest): string {
  return `breakwater:
  stage: test
  image: ${IMAGE}
  timeout: 30 minutes
  variables:
    BREAKWATER_URL: ${quoted(literal(withoutSlash(serverUrl)))}
    BREAKWATER_REPOSITORY: ${quoted(literal(repositoryId))}
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event" && $CI_MERGE_REQUEST_SOURCE_PROJECT_ID == $CI_PROJECT_ID
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
  script:
    - |
${indented(['set -e', INSTALL_CURL, ...commands(`\${CI_MERGE_REQUEST_SOURCE_BRANCH_NAME:-$CI_COMMIT_REF_NAME}`)], 6)}
`;
}

/** GitLab reads variables inside of variables. */
const literal = (text: string): string => text.replaceAll('$', '$$$$');

/** Bitbucket has one file and includes none: where it exists, the step is laid beside it for a person to take over. */
function bitbucketPlan(request: WorkflowRequest): WorkflowPlan {
  const { defaultBranch, existing } = request;
  if (existing.includes(BITBUCKET_ROOT)) {
    return {
      files: [{ path: BITBUCKET_OWN, content: `${bitbucketStep(request, 0)}\n` }],
      steps: [
        `\`${BITBUCKET_ROOT}\` was left as it is. Copy the step of \`${BITBUCKET_OWN}\` into it, below \`pipelines\`, \`branches\`, \`${defaultBranch}\`.`,
      ],
    };
  }
  const content = `pipelines:
  branches:
    ${quoted(defaultBranch.replaceAll(/[*?[\]{}\\]/g, '\\$&'))}:
${bitbucketStep(request, 6)}
`;
  return { files: [{ path: BITBUCKET_ROOT, content }], steps: [] };
}

function bitbucketStep({ repositoryId, serverUrl }: WorkflowRequest, spaces: number): string {
  const script = [
    `export BREAKWATER_URL=${shellText(withoutSlash(serverUrl))}`,
    `export BREAKWATER_REPOSITORY=${shellText(repositoryId)}`,
    INSTALL_CURL,
    ...commands('$BITBUCKET_BRANCH'),
  ];
  const lines = [
    '- step:',
    '    name: Breakwater',
    `    image: ${IMAGE}`,
    '    max-time: 30',
    '    script:',
    ...script.map((line) => `      - ${quoted(line)}`),
  ];
  return indented(lines, spaces);
}

/** A text that no shell reads anything into. */
const shellText = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** As the URL standard writes it: without signs that a pipeline would read as an expression. */
const withoutSlash = (address: string): string => new URL(address).href.replace(/\/$/, '');
