import { backUp } from '@breakwater/host-server/backup/operator-commands.ts';
import { runFileCommand } from '../suites/file-command.ts';

/** `npm run backup -- <file>`: all of the database in one file, while the product runs. */
await runFileCommand({
  usage: `Writes all of the database into one file, as it is at one moment; the server may run meanwhile:
  npm run backup -- <file>             without the key that opens the secrets of connectors
  npm run backup -- <file> --with-key  with it
  npm run backup -- <file> --organization=<name>  one organisation alone, to hand over or to move
npm run restore -- <file> fills an empty database from it.
`,
  flags: ['--with-key', '--organization'],
  run: ({ config, log, file, flags }) =>
    backUp(config, log, { file, includesKeys: flags.has('--with-key'), organization: flags.get('--organization') }),
});
