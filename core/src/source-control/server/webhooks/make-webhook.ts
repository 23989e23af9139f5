import { randomUUID } from 'node:crypto';
import type { ScmWrite } from '@breakwater/sdk';
import type { Logger } from 'pino';
import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import type { SourceControlDeps } from '../deps.ts';
import { findSubject, type RepositoryRef } from '../subject.ts';
import { claimWebhook, keepWebhook, type WebhookOutcome } from './webhook-store.ts';

/** A list of hooks and a write, of a provider that may be slow. */
const STEP_MS = 30_000;

/** What webhooks need of the slice. */
export interface WebhookDeps
  extends Pick<SourceControlDeps, 'database' | 'catalogue' | 'connections' | 'publicOrigin'> {
  log: Pick<Logger, 'warn'>;
}

type Makes = Required<Pick<ScmWrite, 'createWebhook' | 'deleteWebhook'>>;

const writeOf = ({ catalogue }: Pick<WebhookDeps, 'catalogue'>, sourceControl: string): Makes | null => {
  const write = catalogue.capability('scm', sourceControl)?.write;
  if (write?.createWebhook === undefined || write.deleteWebhook === undefined) return null;
  if (catalogue.capability('webhook', sourceControl) === null) return null;
  return { createWebhook: write.createWebhook.bind(write), deleteWebhook: write.deleteWebhook.bind(write) };
};

/** Source controls whose repositories can have webhooks that this server makes. */
export const withWebhooks = (deps: Pick<WebhookDeps, 'catalogue'>): string[] =>
  deps.catalogue.entries().flatMap(({ connector: { id } }) => (writeOf(deps, id) === null ? [] : [id]));

interface Subject {
  source_control: string;
  external_id: string | null;
  is_sample: boolean;
}

/** Why a repository has no webhook that is made from here, whatever the address of this server; null where it can have one. */
const subjectIssue = (deps: Pick<WebhookDeps, 'catalogue'>, subject: Subject): string | null => {
  if (writeOf(deps, subject.source_control) === null)
    return msg('Its source control has no webhooks that can be made from here.');
  if (subject.is_sample) return msg('It is a sample.');
  if (subject.external_id !== null) return null;
  return msg(
    'It was added by its address. Import it through the connection of its source control, so that a webhook can be made.',
  );
};

const NO_ADDRESS = msg(
  'This server has no public address that the provider could reach. Its operator sets BREAKWATER_PUBLIC_URL.',
);

/** Why this server makes no webhook for a repository; null where it can. */
export const webhookIssue = (deps: Pick<WebhookDeps, 'catalogue' | 'publicOrigin'>, subject: Subject): string | null =>
  subjectIssue(deps, subject) ?? (deps.publicOrigin === undefined ? NO_ADDRESS : null);

/** A repository at its provider. */
interface Place {
  connection: { clientId: string; connectorId: string };
  externalId: string;
  write: Makes;
}

/** The repository with what can be done at its provider. @throws repository_not_found, conflict with the reason */
const placeOf = async (deps: WebhookDeps, ref: RepositoryRef): Promise<Place> => {
  const subject = await deps.database.forClient(ref.clientId, (db) => findSubject(db, ref));
  if (subject === undefined) throw new AppError('repository_not_found');
  const { source_control: connectorId, external_id: externalId } = subject;
  const write = writeOf(deps, connectorId);
  const issue = subjectIssue(deps, subject);
  if (issue !== null || externalId === null || write === null) {
    throw new AppError('conflict', issue ?? msg('It has no provider.'));
  }
  return { connection: { clientId: ref.clientId, connectorId }, externalId, write };
};

interface Run extends Place {
  /** As it is known at the provider. */
  webhookId: string | null;
  signal: AbortSignal;
}

const make = async (deps: WebhookDeps, ref: RepositoryRef, run: Run): Promise<WebhookOutcome> => {
  const { connection, externalId, write, signal } = run;
  if (deps.publicOrigin === undefined) throw new AppError('conflict', NO_ADDRESS);
  const address = await deps.connections.deliveryAddress(connection);
  if (address === null) throw new AppError('integration_not_configured');
  const webhook = {
    repository: externalId,
    url: new URL(address.path, deps.publicOrigin).href,
    secret: address.secret,
    events: ['push', 'pull-request', 'issue'],
    idempotencyKey: `webhook:${ref.repositoryId}`,
  } as const;
  const { id } = await deps.connections.use(connection, (ctx) => write.createWebhook(ctx, webhook), {
    timeoutMs: STEP_MS,
    signal,
  });
  return { kind: 'made', webhookId: id };
};

/** @throws AppError with the provider's reason */
const deleteAt = async (
  deps: WebhookDeps,
  { connection, externalId, write }: Place,
  { webhookId, signal }: { webhookId: string; signal: AbortSignal },
): Promise<void> => {
  const webhook = { repository: externalId, id: webhookId };
  await deps.connections.use(connection, (ctx) => write.deleteWebhook(ctx, webhook), { timeoutMs: STEP_MS, signal });
};

/** Does one thing with the webhook of a repository, while nobody else does, and keeps what became of it. @throws repository_not_found, conflict */
const runAlone = async (
  deps: WebhookDeps,
  ref: RepositoryRef,
  {
    signal,
    work,
    failed,
  }: {
    signal: AbortSignal;
    work: (run: Run) => Promise<WebhookOutcome>;
    failed: 'not-made' | 'not-deleted';
  },
): Promise<void> => {
  const place = await placeOf(deps, ref);
  const runId = randomUUID();
  const claimed = await deps.database.forClient(ref.clientId, (db) => claimWebhook(db, ref, runId));
  if (claimed === undefined) throw new AppError('conflict', msg('The webhook is being made or deleted right now.'));
  let outcome: WebhookOutcome;
  try {
    outcome = await work({ ...place, ...claimed, signal });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    outcome = { kind: failed, problem: error.userMessage };
  }
  const isKept = await deps.database.forClient(ref.clientId, (db) => keepWebhook(db, ref, { runId, outcome }));
  if (isKept || outcome.kind !== 'made') return;
  // the repository or its connection went meanwhile, and with them all that would have deleted it
  await deleteAt(deps, place, { webhookId: outcome.webhookId, signal }).catch((error: unknown) => {
    const code = error instanceof AppError ? error.code : 'internal';
    deps.log.warn({ repository: ref.repositoryId, code }, 'a webhook that nobody needs any more stays at its provider');
  });
};

/**
 * Makes the webhook of a repository at its provider, or brings it up to date: asked for twice, there is one. What the provider refuses is
 * kept as the webhook's problem. @throws repository_not_found, conflict where none can be made or another run is at it
 */
export const makeWebhook = (deps: WebhookDeps, ref: RepositoryRef, signal: AbortSignal): Promise<void> =>
  runAlone(deps, ref, { signal, failed: 'not-made', work: (run) => make(deps, ref, run) });

/**
 * Deletes the webhook of a repository at its provider; it is not made again until somebody asks. What the provider refuses is kept as its
 * problem. @throws repository_not_found, conflict
 */
export const deleteWebhook = (deps: WebhookDeps, ref: RepositoryRef, signal: AbortSignal): Promise<void> =>
  runAlone(deps, ref, {
    signal,
    failed: 'not-deleted',
    work: async (run) => {
      if (run.webhookId !== null) await deleteAt(deps, run, { webhookId: run.webhookId, signal });
      return { kind: 'deleted' };
    },
  });

/** A webhook whose repository or connection goes. */
interface LeftWebhook {
  clientId: string;
  connectorId: string;
  externalId: string;
  webhookId: string;
}

/** Deletes it at the provider. @throws AppError with the provider's reason */
export const deleteLeftWebhook = async (deps: WebhookDeps, left: LeftWebhook, signal: AbortSignal): Promise<void> => {
  const { clientId, connectorId, externalId, webhookId } = left;
  const write = writeOf(deps, connectorId);
  if (write === null) return;
  await deleteAt(deps, { connection: { clientId, connectorId }, externalId, write }, { webhookId, signal });
};
