import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { planWorkflow, type WorkflowProvider, type WorkflowRequest, workflowPaths } from './workflow-files.ts';

const PROVIDERS: readonly WorkflowProvider[] = ['github', 'gitlab', 'bitbucket_cloud', 'gitea'];
const request: WorkflowRequest = {
  provider: 'github',
  repositoryId: '01890a5d-ac96-774b-bcce-b302099a8057',
  serverUrl: 'https://breakwater.example/',
  defaultBranch: 'main',
  existing: [],
};
const hostile = {
  serverUrl: `https://breakwater.example/"'$(touch pwned)\`x\`\${{ secrets.X }}`,
  defaultBranch: 'a": {x: [1]}\n#$(touch pwned)*',
};

/** Every shell script of a parsed pipeline. */
function scriptsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (name === 'run' && typeof inner === 'string') return [inner];
    if (name === 'script' && Array.isArray(inner)) return [inner.join('\n')];
    return scriptsIn(inner);
  });
}

describe.each(PROVIDERS)('the pipeline of %s', (provider) => {
  it.each([
    ['plain names', {}],
    ['hostile names', hostile],
  ])('is YAML whose scripts a shell can read, with %s', (_, differs) => {
    const { files } = planWorkflow({ ...request, provider, ...differs });
    expect(files.length).toBeGreaterThan(0);
    expect(files.map(({ content }) => content).join('\n')).not.toContain('{{ secrets.X');
    const scripts = files.flatMap(({ content }) => scriptsIn(parse(content)));
    expect(scripts.join('\n')).toContain('/api/v1/upload_scan/');
    for (const script of scripts) execFileSync('sh', ['-n'], { input: script });
  });

  it('names the token nowhere in an argument, and says where it is kept', () => {
    const { files, steps } = planWorkflow({ ...request, provider });
    const text = files.map(({ content }) => content).join('\n');
    expect(text).not.toMatch(/--header "?Authorization|-H /);
    expect(steps[0]).toContain('`BREAKWATER_TOKEN`');
  });

  it('never writes over a file that exists', () => {
    for (const path of workflowPaths(provider)) {
      const { files } = planWorkflow({ ...request, provider, existing: [path] });
      expect(files.map((file) => file.path)).not.toContain(path);
    }
    expect(planWorkflow({ ...request, provider, existing: workflowPaths(provider) }).files).toEqual([]);
  });
});

it.each(['github', 'gitea'] as const)('gives %s the least rights, and actions by their commits', (provider) => {
  const [file] = planWorkflow({ ...request, provider }).files;
  const workflow = parse(file?.content ?? '');
  expect(workflow.permissions).toEqual({ contents: 'read' });
  expect(workflow.on.push).toEqual({ branches: ['main'] });
  expect(workflow.jobs.scan.steps[0]).toMatchObject({
    uses: expect.stringMatching(/^actions\/checkout@[0-9a-f]{40}$/),
    with: { 'persist-credentials': false },
  });
  expect(workflow.jobs.scan.steps.at(-1).env).toEqual({
    BREAKWATER_TOKEN: `\${{ secrets.BREAKWATER_TOKEN }}`,
    BREAKWATER_URL: 'https://breakwater.example',
    BREAKWATER_REPOSITORY: request.repositoryId,
  });
});

it('means the branch itself where its name holds signs of patterns', () => {
  const [file] = planWorkflow({ ...request, defaultBranch: 'release+1' }).files;
  expect(parse(file?.content ?? '').on.push.branches).toEqual(['release\\+1']);
});

it('says what to add where the one file of GitLab or Bitbucket exists', () => {
  const gitlab = planWorkflow({ ...request, provider: 'gitlab', existing: ['.gitlab-ci.yml'] });
  expect(gitlab.files.map(({ path }) => path)).toEqual(['.gitlab/breakwater.yml']);
  expect(gitlab.steps.at(-1)).toContain('- local: /.gitlab/breakwater.yml');
  const bitbucket = planWorkflow({ ...request, provider: 'bitbucket_cloud', existing: ['bitbucket-pipelines.yml'] });
  expect(bitbucket.files.map(({ path }) => path)).toEqual(['.breakwater/bitbucket-step.yml']);
  expect(parse(bitbucket.files[0]?.content ?? '')[0].step.name).toBe('Breakwater');
});

it('runs nothing that stands in a name', () => {
  const { files } = planWorkflow({ ...request, ...hostile, provider: 'bitbucket_cloud' });
  const [script = ''] = scriptsIn(parse(files[0]?.content ?? ''));
  const exports = script.split('\n').filter((line) => line.startsWith('export '));
  const said = execFileSync('sh', ['-c', `${exports.join('\n')}\nprintf %s "$BREAKWATER_URL"`]).toString();
  expect(said).toBe(new URL(hostile.serverUrl).href);
  expect(said).toContain('$(touch');
});
