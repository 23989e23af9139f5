import type { DatabaseHandle } from '@breakwater/core/platform/server/database.ts';
import {
  allowPasswordsOf,
  listRollupDifferences,
  rebuildAllRollups,
  resetPasswordOf,
  resetTwoFactorOf,
  rotateKeys,
  withDatabase,
} from '@breakwater/host-server/admin.ts';
import { type Config, readConfig } from '@breakwater/host-server/config.ts';
import { createLogger } from '@breakwater/host-server/logger.ts';
import { withOwner } from '@breakwater/host-server/open-database.ts';
import { countOrganization, deleteOrganization, findOrganization } from '@breakwater/host-server/organizations.ts';

const USAGE = `Help for whoever runs the server:
  npm run admin -- reset-password <email or username>   sets a new random password and ends all sessions of the user
  npm run admin -- reset-2fa <email or username>        switches two-factor off for the user and ends all sessions
  npm run admin -- allow-passwords <email or username>  ends the enforcement of single sign-on in the user's organisation
  npm run admin -- rotate-keys                          seals all stored secrets with the newest key
  npm run admin -- check-rollups                        compares all counts with the findings; exits 1 where they differ
  npm run admin -- rebuild-rollups                      makes all counts anew, also while the server runs
  npm run admin -- count-organization <name>            says how many rows an organisation has
  npm run admin -- delete-organization <name>           deletes an organisation with all that belongs to it; there is no way back
`;

interface Answer {
  text: string;
  isFailure?: boolean;
}

const checkCounts = async (database: DatabaseHandle): Promise<Answer> => {
  const lines = await listRollupDifferences(database);
  if (lines.length === 0) return { text: 'All counts equal the findings.' };
  return {
    text: `${lines.join('\n')}\nThese counts differ from the findings. npm run admin -- rebuild-rollups makes them right.`,
    isFailure: true,
  };
};

type Command = (database: DatabaseHandle, config: Config, argument: string) => Promise<Answer>;

const COMMANDS: Readonly<Record<string, { takesArgument: boolean; run: Command }>> = {
  'reset-password': {
    takesArgument: true,
    run: async (database, _config, user) => ({
      text: `The new password of ${user} is shown only here: ${await resetPasswordOf(database, user)}`,
    }),
  },
  'reset-2fa': {
    takesArgument: true,
    run: async (database, config, user) => ({
      text: (await resetTwoFactorOf(database, config, user))
        ? `Two-factor is off for ${user}: the password alone opens the account again, and all sessions have ended.`
        : `Two-factor is off for ${user} already: nothing was changed.`,
    }),
  },
  'allow-passwords': {
    takesArgument: true,
    run: async (database, _config, user) => ({
      text: (await allowPasswordsOf(database, user))
        ? `Passwords count again in the organisation of ${user}.`
        : `Single sign-on is not enforced in the organisation of ${user}: nothing was changed.`,
    }),
  },
  'rotate-keys': {
    takesArgument: false,
    run: async (database, config) => ({
      text: `${await rotateKeys(database, config)} secrets were sealed with the newest key.`,
    }),
  },
  'check-rollups': { takesArgument: false, run: checkCounts },
  'rebuild-rollups': {
    takesArgument: false,
    run: async (database) => ({ text: `Made the counts of ${await rebuildAllRollups(database)} organisations anew.` }),
  },
};

/** Commands that need the rights of the owner of the tables. */
const OWNER_COMMANDS: Readonly<Record<string, (ownerUrl: string, organization: string) => Promise<string>>> = {
  'count-organization': async (url, organization) => {
    const { id, name } = await findOrganization(url, organization);
    const counts = await countOrganization(url, id);
    return [`${name} (${id}):`, ...counts.map(({ table, rows }) => `${table} ${rows}`)].join('\n');
  },
  'delete-organization': async (url, organization) => {
    const { id, name } = await deleteOrganization(url, organization);
    return `Deleted the organisation ${name} (${id}) with everything that belonged to it.`;
  },
};

const [name = '', argument = '', ...rest] = process.argv.slice(2);
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
const ownerCommand = Object.hasOwn(OWNER_COMMANDS, name) ? OWNER_COMMANDS[name] : undefined;
const takesArgument = ownerCommand !== undefined || command?.takesArgument === true;
if ((command ?? ownerCommand) === undefined || rest.length > 0 || takesArgument !== (argument !== '')) {
  process.stderr.write(USAGE);
  process.exit(2);
}

const answerOf = async (config: Config): Promise<Answer> => {
  const log = createLogger('error');
  if (ownerCommand !== undefined) return { text: await withOwner(config, log, (url) => ownerCommand(url, argument)) };
  if (command === undefined) throw new Error(USAGE);
  return withDatabase(config, log, (database) => command.run(database, config, argument));
};

try {
  const config = readConfig();
  const answer = await answerOf(config);
  process.stdout.write(`${answer.text}\n`);
  if (answer.isFailure === true) process.exitCode = 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
