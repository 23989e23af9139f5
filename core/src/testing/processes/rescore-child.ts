import { createAppPool } from '../../../../host-server/src/postgres/pool.ts';
import { createDatabase } from '../../platform/server/database.ts';
import { rescoreClient } from '../../prioritisation/server/rescore.ts';
import { rescoreSettings } from '../../prioritisation/server/settings/rescore-settings.ts';

// a process of its own, to be killed: <database> <client> <after what: a feed, or settings>
const [url = '', clientId = '', after = 'feed'] = process.argv.slice(2);
const database = createDatabase(createAppPool(url));
const rescore = after === 'settings' ? rescoreSettings : rescoreClient;
await rescore(database, clientId, new AbortController().signal);
await database.close();
