import { createHash } from 'node:crypto';
import { type CredentialSchema, type Ctx, isConnectorError, type Scm } from '@breakwater/sdk';
import type { Connections } from '../../connectors/server/index.ts';
import type { FixFacts } from '../../findings/server/index.ts';
import { AppError } from '../../platform/model/app-error.ts';
import type { ConnectorCatalogue } from '../../platform/model/connector-catalogue.ts';
import { msg } from '../../platform/model/message.ts';
import { say } from '../../platform/model/sentence.ts';
import type { DatabaseHandle } from '../../platform/server/database.ts';
import type { JobQueue } from '../../platform/server/jobs/define-job.ts';
import type { PlanLimits } from '../../platform/server/limits.ts';
import type { FixEngine } from './fix-engine.ts';
import type { LockTools } from './lock-files/run-tools.ts';

/** What the slice is made of. */
export interface RemediationDeps {
  database: DatabaseHandle;
  jobs: Pick<JobQueue, 'enqueue'>;
  catalogue: ConnectorCatalogue;
  connections: Connections;
  engine: FixEngine;
  /** Package managers of this machine. */
  lockTools: LockTools;
  limits: PlanLimits;
  /** How long one answer of a model may take. */
  aiTimeoutMs: number;
  /** Origin of this server as people write it; undefined: it does not know. */
  publicOrigin: string | undefined;
}

/** A file of the repository as it is now. */
export interface SourceFile {
  path: string;
  /** Null where there is none. */
  content: string | null;
  /** Hex; null where there is none. */
  sha256: string | null;
}

/** The repository of a finding at its provider. */
export type SourceRepository = Pick<FixFacts, 'sourceControl' | 'externalId' | 'repository' | 'branch'>;

/** Less than the lease of a run, so that two never ask at the same time. */
const STEP_MS = 45_000;
const MAX_FILE_BYTES = 10 * 1024 * 1024;

export interface SourceStep {
  scm: Scm;
  ctx: Ctx<CredentialSchema>;
  /** Id at the provider. */
  repository: string;
}

/**
 * Runs a step at the provider of a repository with the organisation's connection, outside any transaction.
 * @throws conflict with what to do, integration_not_configured, connection_expired, upstream_failed
 */
export const atProvider = async <T>(
  deps: Pick<RemediationDeps, 'connections'>,
  clientId: string,
  source: SourceRepository,
  work: (step: SourceStep) => Promise<T>,
): Promise<T> => {
  const { sourceControl: connectorId, externalId: repository } = source;
  const scm = await deps.connections.capability({ clientId, connectorId }, 'scm');
  if (scm === null)
    throw new AppError(
      'conflict',
      say(
        '{repository} is known by its reports or its address alone. Link it to its repository on its page, so that its files can be read and changed.',
        { repository: source.repository },
      ),
    );
  if (repository === null)
    throw new AppError(
      'conflict',
      say(
        '{repository} has no id at its provider. Import it from the list of its provider, so that its files can be read and changed.',
        { repository: source.repository },
      ),
    );
  const outcome = await deps.connections.use(
    { clientId, connectorId },
    async (ctx): Promise<{ value: T } | { error: unknown }> => {
      try {
        return { value: await work({ scm, ctx, repository }) };
      } catch (error) {
        // what we refuse ourselves says nothing of the connection
        if (isConnectorError(error) || ctx.signal.aborted) throw error;
        return { error };
      }
    },
    { timeoutMs: STEP_MS },
  );
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
};

const textOf = (path: string, bytes: Uint8Array): string => {
  if (bytes.length > MAX_FILE_BYTES) throw new AppError('conflict', say('“{path}” is larger than 10 MB.', { path }));
  try {
    // the byte order mark stays: what is not changed goes back as it was
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new AppError('conflict', say('“{path}” is no text in UTF-8.', { path }), { cause });
  }
};

/** Files as they are at a branch. @throws conflict for one that is no text */
export const readFiles = async (
  { scm, ctx, repository }: SourceStep,
  branch: string,
  paths: readonly string[],
): Promise<SourceFile[]> => {
  if (scm.readFile === undefined) throw new AppError('conflict', msg('Files of this source control cannot be read.'));
  const files: SourceFile[] = [];
  for (const path of paths) {
    const bytes = await scm.readFile(ctx, { repository, path, at: branch });
    if (bytes === null) files.push({ path, content: null, sha256: null });
    else files.push({ path, content: textOf(path, bytes), sha256: createHash('sha256').update(bytes).digest('hex') });
  }
  return files;
};
