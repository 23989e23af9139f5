import path from 'node:path';
import type { LockTool } from './lock-tool.ts';

/**
 * Settings of npm: those of the environment beat every file. Names that an older npm does not know mean nothing to it; what they refuse
 * is looked for beforehand too.
 */
const environment: LockTool['environment'] = ({ registries }, { home, cache, roots }) => ({
  npm_config_userconfig: path.join(home, 'npmrc'),
  npm_config_cache: cache,
  npm_config_cafile: roots,
  npm_config_ignore_scripts: 'true',
  npm_config_allow_git: 'none',
  npm_config_allow_remote: 'none',
  npm_config_allow_file: 'none',
  npm_config_git: path.join(home, 'no-git'),
  npm_config_update_notifier: 'false',
  npm_config_package_lock: 'true',
  npm_config_omit_lockfile_registry_resolved: 'false',
  npm_config_install_links: 'false',
  npm_config_fetch_retries: '1',
  ...(registries.npm === undefined ? {} : { npm_config_registry: registries.npm.href }),
});

/** What npm says of its failure, without its codes and the place of its log. */
const saidBy = (stderr: string): string =>
  stderr
    .split('\n')
    .flatMap((line) => /^npm (?:error|ERR!) (?:code )?(.+)$/.exec(line)?.[1] ?? [])
    .filter((line) => !line.includes('A complete log of this run'))
    .slice(0, 4)
    .join(' ');

/** npm writes `package-lock.json` for the manifests beside it. Nothing is installed and no script runs. */
export const NPM: LockTool = {
  program: 'npm',
  argumentsFor: () => [
    'install',
    '--package-lock-only',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--no-progress',
  ],
  environment,
  saidBy,
};
