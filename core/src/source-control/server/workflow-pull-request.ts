import { createHash } from 'node:crypto';
import type { CredentialSchema, Ctx, Scm } from '@breakwater/sdk';
import { requestOrigin } from '../../connectors/server/index.ts';
import { AppError } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import { say } from '../../platform/model/sentence.ts';
import { sayEnglish } from '../../platform/model/translator.ts';
import type { Db } from '../../platform/server/database.ts';
import {
  type Caller,
  callerEndpoint,
  type Endpoint,
  ownedOnly,
  tenantEndpoint,
} from '../../platform/server/endpoint.ts';
import { addRepositoryEventOnce, readRepository } from '../../repositories/server/index.ts';
import {
  createWorkflowPullRequest,
  getWorkflowAvailability,
  previewWorkflowPullRequest,
} from '../api/workflow-routes.ts';
import { planWorkflow, type WorkflowPlan, type WorkflowProvider, workflowPaths } from '../model/workflow-files.ts';
import type { SourceControlDeps } from './deps.ts';
import { findSubject } from './subject.ts';

const STEP_MS = 60_000;
const BRANCH = 'breakwater/scan-pipeline';
const TITLE = 'Scan this repository and upload the findings to Breakwater';

interface Request {
  caller: Caller;
  id: string;
  /** Address of this server, which the pipeline calls. */
  serverUrl: string;
  signal: AbortSignal;
}

interface Step {
  scm: Scm;
  ctx: Ctx<CredentialSchema>;
  /** Id at the provider. */
  repository: string;
  into: string;
  plan: WorkflowPlan;
}

const isProvider = (name: string): name is WorkflowProvider =>
  ['github', 'gitlab', 'bitbucket_cloud', 'gitea'].includes(name);

interface Target {
  provider: WorkflowProvider;
  into: string;
  /** Id at the provider. */
  repository: string;
}

/** The repository as its provider knows it, or why nothing can be written to it. @throws repository_not_found */
const findTarget = async (db: Db, caller: Caller, id: string): Promise<Target | string> => {
  const { clientId } = caller;
  const { attributes } = await readRepository(db, { clientId, onlyOwnedBy: ownedOnly(caller) }, id);
  const { source_control: provider, repository_branch: into, nickname } = attributes;
  if (!isProvider(provider)) {
    return sayEnglish('{nickname} has no provider that takes pull requests. Add the upload to its pipeline by hand.', {
      nickname,
    });
  }
  const repository = (await findSubject(db, { clientId, repositoryId: id }))?.external_id ?? null;
  if (repository === null) {
    const how = msg('Import it from the list of its provider, so that a pull request can be opened.');
    return `${nickname} was added by its address. ${how}`;
  }
  return { provider, into, repository };
};

/** Asks which files are there, makes the plan, and goes on with it, in one step with the connection. */
const withPlan = async <T>(deps: SourceControlDeps, request: Request, work: (step: Step) => Promise<T>): Promise<T> => {
  const { caller, id, serverUrl, signal } = request;
  const target = await deps.database.forClient(caller.clientId, (db) => findTarget(db, caller, id));
  if (typeof target === 'string') throw new AppError('conflict', target);
  const { provider, into, repository } = target;
  const scm = deps.catalogue.capability('scm', provider);
  if (scm?.write === undefined || scm.readFile === undefined) {
    throw new AppError('conflict', msg('Breakwater cannot write to this source control.'));
  }
  const readFile = scm.readFile.bind(scm);
  return deps.connections.use(
    { clientId: caller.clientId, connectorId: provider },
    async (ctx) => {
      const existing: string[] = [];
      for (const path of workflowPaths(provider)) {
        if ((await readFile(ctx, { repository, path, at: into })) !== null) existing.push(path);
      }
      const plan = planWorkflow({ provider, repositoryId: id, serverUrl, defaultBranch: into, existing });
      return work({ scm, ctx, repository, into, plan });
    },
    { timeoutMs: STEP_MS, signal },
  );
};

const descriptionOf = ({ files, steps }: WorkflowPlan): string =>
  [
    // no text: part of the pull request, which is English
    'This pipeline scans the repository and uploads the report to Breakwater. It does not change existing files.',
    `Files: ${files.map(({ path }) => `\`${path}\``).join(', ')}`,
    'Before it works:',
    steps.map((step, index) => `${index + 1}. ${step}`).join('\n'),
  ].join('\n\n');

/** The branch that the pull request comes from, and what the keys of its writes begin with: the same for the same content. */
const namesOf = ({ into, plan }: Step, id: string) => {
  const digest = createHash('sha256')
    .update(JSON.stringify([into, plan.files]))
    .digest('hex')
    .slice(0, 16);
  return { branch: `${BRANCH}-${digest.slice(0, 8)}`, key: `workflow:${id}:${digest}` };
};

/** Branch, commit and pull request, each by a key of what it holds: asked for again, nothing is made twice. */
const write = async (step: Step, id: string) => {
  const { scm, ctx, repository, into, plan } = step;
  const { files } = plan;
  if (scm.write === undefined || files.length === 0) return null;
  const { branch, key } = namesOf(step, id);
  await scm.write.createBranch(ctx, { repository, branch, from: into, idempotencyKey: `${key}:branch` });
  await scm.write.commitFiles(ctx, { repository, branch, message: TITLE, files, idempotencyKey: `${key}:commit` });
  return scm.write.openPullRequest(ctx, {
    ...{ repository, from: branch, into, title: TITLE, description: descriptionOf(plan) },
    idempotencyKey: `${key}:pull-request`,
  });
};

const isWebAddress = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

const createEndpoint = (deps: SourceControlDeps): Endpoint =>
  callerEndpoint(createWorkflowPullRequest)(async ({ caller, params, request, signal }) => {
    const { id } = params;
    const { clientId } = caller;
    const serverUrl = deps.publicOrigin ?? requestOrigin(request);
    const { link, plan } = await withPlan(deps, { caller, id, serverUrl, signal }, async (step) => ({
      link: await write(step, id),
      plan: step.plan,
    }));
    if (link === null)
      throw new AppError('conflict', say('The pipeline is there already. {steps}', { steps: plan.steps.join(' ') }));
    if (!isWebAddress(link.url)) {
      throw new AppError('upstream_failed', msg('The provider gave no address of the pull request.'));
    }
    const event = {
      clientId,
      repositoryId: id,
      actor: caller,
      field: 'workflow_pr',
      from: null,
      to: link.url,
    } as const;
    await deps.database.forClient(clientId, (db) => addRepositoryEventOnce(db, event));
    const files = plan.files.map(({ path }) => path);
    return {
      success: true as const,
      data: { url: link.url, number: link.number ?? null, files, steps: [...plan.steps] },
    };
  });

const availabilityEndpoint = ({ catalogue, connections }: SourceControlDeps): Endpoint =>
  tenantEndpoint(getWorkflowAvailability)(async ({ db, caller, params }) => {
    const problemOf = async (target: Target | string): Promise<string | null> => {
      if (typeof target === 'string') return target;
      const item = await connections.item(db, caller.clientId, target.provider);
      if (item.attributes.is_configured) return null;
      const title = catalogue.entry(target.provider)?.connector.title ?? target.provider;
      return sayEnglish('{title} is not connected. An admin connects it on the page of connectors.', { title });
    };
    const problem = await problemOf(await findTarget(db, caller, params.id));
    return { data: { is_available: problem === null, problem } };
  });

/** A pull request that adds a pipeline which scans and uploads, and what it would hold. */
export const workflowEndpoints = (deps: SourceControlDeps): Endpoint[] => [
  availabilityEndpoint(deps),
  callerEndpoint(previewWorkflowPullRequest)(async ({ caller, params, request, signal }) => {
    const { id } = params;
    const serverUrl = deps.publicOrigin ?? requestOrigin(request);
    const step = await withPlan(deps, { caller, id, serverUrl, signal }, async (one) => one);
    const { into, plan } = step;
    const files = plan.files.map(({ path, content }) => ({ path, content }));
    return { data: { branch: namesOf(step, id).branch, into, title: TITLE, files, steps: [...plan.steps] } };
  }),
  createEndpoint(deps),
];
