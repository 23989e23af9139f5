import type { Connections } from '../../connectors/server/index.ts';
import type { DatabaseHandle, Db } from '../../platform/server/database.ts';
import type { Caller } from '../../platform/server/endpoint.ts';
import { publish } from '../../platform/server/events.ts';
import type { JobQueue } from '../../platform/server/jobs/define-job.ts';
import type { DocumentSigner } from '../../platform/server/key-ring.ts';
import { readClientDetail } from './client-detail.ts';

/** What the slice is made of. */
export interface ClientDeps {
  database: DatabaseHandle;
  connections: Connections;
  signer: DocumentSigner;
  jobs: Pick<JobQueue, 'enqueue'>;
}

/** The client detail as on the wire. */
export const signedClient = async ({ connections, signer }: ClientDeps, db: Db, caller: Caller): Promise<string> =>
  signer.sign(await readClientDetail(connections, db, caller));

/** Open browsers read the client anew. */
export const notifyChanged = (db: Db, clientId: string): Promise<void> =>
  publish(db, { clientId, type: 'client.changed', data: {}, audience: 'everyone' });
