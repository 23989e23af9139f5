import { createServer } from 'node:net';
import type { Config } from './config.ts';

type Address = Pick<Config, 'publicUrl' | 'host' | 'port'>;

/**
 * How people reach this server, without a slash at the end: what is printed at start, and where links in mails lead. Never an address
 * that a request names. A wildcard address is reached by the name of this machine.
 */
export const publicAddress = ({ publicUrl, host, port }: Address): string => {
  if (publicUrl !== undefined) return publicUrl.origin;
  const isWildcard = host === '0.0.0.0' || host === '::';
  return `http://${isWildcard ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`;
};

/** `PORT=0` means any free port. It is chosen before anything is made of the address, so that links lead to it. */
export const withChosenPort = async <C extends Address>(config: C): Promise<C> => {
  if (config.port !== 0) return config;
  const probe = createServer();
  const port = await new Promise<number>((resolve, reject) => {
    probe.once('error', reject);
    probe.listen(0, config.host, () => {
      const bound = probe.address();
      resolve(typeof bound === 'object' && bound !== null ? bound.port : 0);
    });
  });
  await new Promise<void>((resolve) => probe.close(() => resolve()));
  return { ...config, port };
};
