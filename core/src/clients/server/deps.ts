import type { RequestOrigin } from '../../platform/server/audit.ts';
import type { DatabaseHandle, Db } from '../../platform/server/database.ts';
import type { Caller } from '../../platform/server/endpoint.ts';
import { publish } from '../../platform/server/events.ts';
import type { JobQueue } from '../../platform/server/jobs/define-job.ts';
import type { DocumentSigner } from '../../platform/server/key-ring.ts';
import { type DetailDeps, readClientDetail } from './client-detail.ts';

/** What the slice is made of. */
export interface ClientDeps extends DetailDeps {
  database: DatabaseHandle;
  signer: DocumentSigner;
  /** Terms and conditions of the installation, Markdown. */
  terms: string | undefined;
  jobs: Pick<JobQueue, 'enqueue'>;
  /** Ends what is paid for, and gives the free plan. @throws upstream_failed */
  chooseFreePlan: (caller: Caller, origin: RequestOrigin) => Promise<void>;
}

/** The client detail as on the wire. */
export const signedClient = async (deps: ClientDeps, db: Db, caller: Caller): Promise<string> =>
  deps.signer.sign(await readClientDetail(deps, db, caller));

/** Open browsers read the client anew. */
export const notifyChanged = (db: Db, clientId: string): Promise<void> =>
  publish(db, { clientId, type: 'client.changed', data: {}, audience: 'everyone' });
