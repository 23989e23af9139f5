import type { GivenProof } from '../../platform/api/proof.ts';
import type { RequestOrigin } from '../../platform/server/audit.ts';
import type { DatabaseHandle, Db } from '../../platform/server/database.ts';
import type { Caller } from '../../platform/server/endpoint.ts';
import { publish } from '../../platform/server/events.ts';
import type { JobQueue } from '../../platform/server/jobs/define-job.ts';
import type { DocumentSigner } from '../../platform/server/key-ring.ts';
import { type DetailDeps, readClientDetail } from './client-detail.ts';

/** What other slices say before an organisation is deleted. */
export interface DeletionDeps {
  database: DatabaseHandle;
  jobs: Pick<JobQueue, 'purgeClient'>;
  /** @throws validation_failed, conflict, too_many_requests where it is not certain who asks */
  requireProof: (db: Db, caller: Caller, given: GivenProof) => Promise<void>;
  /** Why somebody would go on paying; null where nobody would. */
  paidReason: (db: Db, clientId: string) => Promise<string | null>;
  /** Makes that true now. @throws upstream_failed */
  readPaymentsAnew: (clientId: string) => Promise<void>;
}

/** What the slice is made of. */
export interface ClientDeps extends DetailDeps {
  database: DatabaseHandle;
  signer: DocumentSigner;
  /** Terms and conditions of the installation, Markdown. */
  terms: string | undefined;
  jobs: Pick<JobQueue, 'enqueue'>;
  /** Ends what is paid for, and gives the free plan. @throws upstream_failed */
  chooseFreePlan: (caller: Caller, origin: RequestOrigin) => Promise<void>;
  deletion: DeletionDeps;
}

/** The client detail as on the wire. */
export const signedClient = async (deps: ClientDeps, db: Db, caller: Caller): Promise<string> =>
  deps.signer.sign(await readClientDetail(deps, db, caller));

/** Open browsers read the client anew. */
export const notifyChanged = (db: Db, clientId: string): Promise<void> =>
  publish(db, { clientId, type: 'client.changed', data: {}, audience: 'everyone' });
