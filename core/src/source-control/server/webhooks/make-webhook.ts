import { randomUUID } from 'node:crypto';
import type { ScmWrite } from '@breakwater/sdk';
import type { Logger } from 'pino';
import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import type { Db } from '../../../platform/server/database.ts';
import type { SourceControlDeps } from '../deps.ts';
import { findSubject, type RepositoryRef } from '../subject.ts';
import { claimWebhook, keepWebhook, type WebhookOutcome } from './webhook-store.ts';

/** A list of hooks and a write, of a provider that may be slow. */
const STEP_MS = 30_000;

/** What webhooks need of the slice. */
export interface WebhookDeps extends Pick<SourceControlDeps, 'database' | 'connections' | 'publicOrigin'> {
  log: Pick<Logger, 'warn'>;
}

type Makes = Required<Pick<ScmWrite, 'createWebhook' | 'deleteWebhook'>>;

interface ConnectionKey {
  clientId: string;
  connectorId: string;
}

/** In a transaction of the organisation. */
const writeOf = async (
  { connections }: Pick<WebhookDeps, 'connections'>,
  db: Db,
  connectionKey: ConnectionKey,
): Promise<Makes | null> => {
  const write = (await connections.capability(connectionKey, 'scm', db))?.write;
  if (write?.createWebhook === undefined || write.deleteWebhook === undefined) return null;
  if ((await connections.capability(connectionKey, 'webhook', db)) === null) return null;
  return { createWebhook: write.createWebhook.bind(write), deleteWebhook: write.deleteWebhook.bind(write) };
};

/** Whether repositories of a source control can have webhooks that this server makes. In a transaction of the organisation. */
export const canHaveWebhooks = async (
  deps: Pick<WebhookDeps, 'connections'>,
  db: Db,
  connectionKey: ConnectionKey,
): Promise<boolean> => (await writeOf(deps, db, connectionKey)) !== null;

interface Subject {
  source_control: string;
  external_id: string | null;
  is_sample: boolean;
}

/** Why a repository has no webhook that is made from here, whatever the address of this server; null where it can have one. */
const subjectIssue = (canHave: boolean, subject: Subject): string | null => {
  if (!canHave) return msg('Its source control has no webhooks that can be made from here.');
  if (subject.is_sample) return msg('It is a sample.');
  if (subject.external_id !== null) return null;
  return msg(
    'It was added by its address. Import it through the connection of its source control, so that a webhook can be made.',
  );
};

const NO_ADDRESS = msg(
  'This server has no public address that the provider could reach. Its operator sets BREAKWATER_PUBLIC_URL.',
);

/** Why this server makes no webhook for a repository; null where it can. In a transaction of the organisation. */
export const webhookIssue = async (
  deps: Pick<WebhookDeps, 'connections' | 'publicOrigin'>,
  db: Db,
  { clientId, ...subject }: Subject & { clientId: string },
): Promise<string | null> => {
  const canHave = await canHaveWebhooks(deps, db, { clientId, connectorId: subject.source_control });
  return subjectIssue(canHave, subject) ?? (deps.publicOrigin === undefined ? NO_ADDRESS : null);
};

/** A repository at its provider. */
interface Place {
  connection: ConnectionKey;
  externalId: string;
  write: Makes;
}

/** The repository with what can be done at its provider. @throws repository_not_found, conflict with the reason */
const placeOf = async (deps: WebhookDeps, ref: RepositoryRef): Promise<Place> => {
  return deps.database.forClient(ref.clientId, async (db) => {
    const subject = await findSubject(db, ref);
    if (subject === undefined) throw new AppError('repository_not_found');
    const { source_control: connectorId, external_id: externalId } = subject;
    const connection = { clientId: ref.clientId, connectorId };
    const write = await writeOf(deps, db, connection);
    const issue = subjectIssue(write !== null, subject);
    if (issue !== null || externalId === null || write === null) {
      throw new AppError('conflict', issue ?? msg('It has no provider.'));
    }
    return { connection, externalId, write };
  });
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
interface LeftWebhook extends ConnectionKey {
  externalId: string;
  webhookId: string;
}

/** Deletes it at the provider. @throws AppError with the provider's reason */
export const deleteLeftWebhook = async (deps: WebhookDeps, left: LeftWebhook, signal: AbortSignal): Promise<void> => {
  const { clientId, connectorId, externalId, webhookId } = left;
  const connection = { clientId, connectorId };
  const write = await deps.database.forClient(clientId, (db) => writeOf(deps, db, connection));
  if (write === null) return;
  await deleteAt(deps, { connection, externalId, write }, { webhookId, signal });
};
