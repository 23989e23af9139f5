import { openReportTools } from '@breakwater/host-server/plugins/parse-tools.ts';
import { runImport } from '../../ingest/server/run/run-import.ts';

/** A process that imports one scan, to be killed in the middle of it. Arguments: connection string, client, scan. */
const [connectionString = '', clientId = '', scanId = ''] = process.argv.slice(2);
const tools = await openReportTools();
process.stdout.write('started\n');
const outcome = await runImport({
  connection: { connectionString, options: '-c role=breakwater_app -c timezone=UTC' },
  clientId,
  scanId,
  tools,
  signal: new AbortController().signal,
});
process.stdout.write(`${JSON.stringify(outcome)}\n`);
