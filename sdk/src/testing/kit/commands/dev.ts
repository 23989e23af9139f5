import { once } from 'node:events';
import { startDevServer } from '../dev/dev-server.ts';
import { type Command, UsageError } from './command.ts';

export const devCommand: Command = {
  usage: `  dev [folder] [--port <number>]
      Shows card, form, test connection, view and mapped findings in the browser, on this machine alone: from conformance.json, and on request from the
      real service, with what is typed or what stands in the environment. The page follows the files. Ctrl+C ends it.`,
  options: { port: { type: 'string' } },
  run: async ({ folder, values: { port = '0' }, environment }) => {
    if (typeof port !== 'string' || !/^\d{1,5}$/.test(port) || Number(port) > 65_535)
      throw new UsageError('--port is a number up to 65535.');
    const server = await startDevServer(folder, { port: Number(port), environment });
    process.stdout.write(`${server.url.href}\n`);
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
    await server.close();
    return { isReached: true, text: 'Ended.' };
  },
};
