import { resetPasswordOf, rotateKeys, withDatabase } from '@breakwater/host-server/admin.ts';
import { readConfig } from '@breakwater/host-server/config.ts';
import { createLogger } from '@breakwater/host-server/logger.ts';

const USAGE = `Help for whoever runs the server:
  npm run admin -- reset-password <email or username>   sets a new random password and ends all sessions of the user
  npm run admin -- rotate-keys                          seals all stored secrets with the newest key
`;

const [command, argument, ...rest] = process.argv.slice(2);
const isReset = command === 'reset-password' && argument !== undefined && rest.length === 0;
const isRotation = command === 'rotate-keys' && argument === undefined;
if (!isReset && !isRotation) {
  process.stderr.write(USAGE);
  process.exit(2);
}

try {
  const config = readConfig();
  const log = createLogger('error');
  const answer = await withDatabase(config, log, async (database) => {
    if (isRotation) return `${await rotateKeys(database, config)} secrets were sealed with the newest key.`;
    return `The new password of ${argument} is shown only here: ${await resetPasswordOf(database, argument ?? '')}`;
  });
  process.stdout.write(`${answer}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
