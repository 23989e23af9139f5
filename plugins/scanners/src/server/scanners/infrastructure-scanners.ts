import { LARGE, repositoryScanner, SMALL } from './define-scanner.ts';

/**
 * One family of Checkov's frameworks. Helm and Kustomize are left out, because Checkov starts programs of theirs on the files. Settings beside the
 * files may load Python (`external-checks-dir`). Source: `checkov --help`, 2.3 and later.
 */
const checkov = (frameworks: readonly string[]) =>
  repositoryScanner({
    programs: ['checkov'],
    version: ['--version'],
    report: 'checkov.json',
    prints: true,
    args: () => {
      const output = ['--output', 'json', '--quiet', '--soft-fail', '--skip-download'];
      return ['--framework', ...frameworks, ...output, '--directory', '.'];
    },
    hides: ['.checkov.yaml', '.checkov.yml'],
    limits: LARGE,
  });

export const checkovInfrastructure = checkov([
  ...['terraform', 'terraform_plan', 'cloudformation', 'kubernetes', 'arm', 'bicep', 'serverless', 'ansible'],
]);
export const checkovPipelines = checkov([
  ...['github_actions', 'gitlab_ci', 'bitbucket_pipelines', 'azure_pipelines', 'circleci_pipelines', 'argo_workflows'],
]);
export const checkovContainers = checkov(['dockerfile']);

/** One family of KICS's platforms. `kics.config` beside the files may name outputs and queries. Source: `kics scan --help`, 1.7 and later. */
const kics = (choice: readonly string[]) =>
  repositoryScanner({
    programs: ['kics'],
    version: ['version'],
    report: 'kics.json',
    args: ({ work }) => {
      const output = ['--output-path', work, '--output-name', 'kics', '--report-formats', 'json'];
      return [
        'scan',
        '--path',
        '.',
        ...output,
        '--no-progress',
        '--no-color',
        '--ignore-on-exit',
        'results',
        ...choice,
      ];
    },
    env: () => ({ DISABLE_CRASH_REPORT: '1' }),
    hides: ['kics.config'],
    limits: LARGE,
  });

export const kicsInfrastructure = kics(['--exclude-type', 'Dockerfile,DockerCompose,CICD']);
export const kicsPipelines = kics(['--type', 'CICD']);
export const kicsContainers = kics(['--type', 'Dockerfile,DockerCompose']);

const DOCKERFILE = /(?:^|\/)(?:Dockerfile|Containerfile)(?:\.[\w-]{1,50})?$|\.Dockerfile$/i;

/** Source: `hadolint --help`, 2.8 and later. Its settings beside the files may trust other registries. */
export const hadolint = repositoryScanner({
  programs: ['hadolint'],
  version: ['--version'],
  report: 'hadolint.json',
  prints: true,
  files: DOCKERFILE,
  args: () => ['--format', 'json', '--no-fail', '--'],
  hides: ['.hadolint.yaml', '.hadolint.yml'],
  limits: SMALL,
});
