import { restore } from '@breakwater/host-server/backup/operator-commands.ts';
import { runFileCommand } from '../suites/file-command.ts';

/** `npm run restore -- <file>`: fills an empty database from a backup. */
await runFileCommand({
  usage: `Fills an empty database from a file of npm run backup:
  npm run restore -- <file>
It is the database of BREAKWATER_DATA_DIR or DATABASE_URL, as for npm start. Stop the server first; one that holds an organisation is refused.
`,
  flags: [],
  run: ({ config, log, file }) => restore(config, log, file),
});
