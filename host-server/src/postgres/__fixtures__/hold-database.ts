import { startEmbeddedPostgres } from '../embedded.ts';

// Holds a database until told to stop; the test kills it without asking, too.
const server = await startEmbeddedPostgres({ dataDirectory: process.argv[2] ?? '' });
process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)));
process.send?.(server.url);
