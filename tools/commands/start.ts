import { buildAppWhenStale } from '../app-build.ts';

/** `npm start`: builds what is stale, then becomes the server. */
try {
  const isWorker = process.argv.some((argument) => argument === '--role=worker');
  if (!isWorker) await buildAppWhenStale((text) => process.stderr.write(`${text}\n`));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
await import('@breakwater/host-server/main.ts');
