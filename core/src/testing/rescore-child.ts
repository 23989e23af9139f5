import { createAppPool } from '../../../host-server/src/postgres/pool.ts';
import { createDatabase } from '../platform/server/database.ts';
import { rescoreClient } from '../prioritisation/server/rescore.ts';

// a process of its own, to be killed: <database> <client>
const [url = '', clientId = ''] = process.argv.slice(2);
const database = createDatabase(createAppPool(url));
await rescoreClient(database, clientId, new AbortController().signal);
await database.close();
