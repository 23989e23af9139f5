import { run } from './run.ts';

/** What a change can reach besides the tests that import it. */
export interface Reach {
  /** Something that runs in the server or the browser, so every journey. */
  product: boolean;
  /** A plugin, the SDK, or what tests plugins alone. */
  plugins: boolean;
}

const IS_TEST = /\.test(-d)?\.tsx?$|\/(testing|__fixtures__)\//;
const PRODUCT = /^(app|core|host-server|plugins|sdk)\/|^package(-lock)?\.json$/;
const PLUGINS = /^(plugins|sdk|tools\/packages|tools\/suites)\/|^package(-lock)?\.json$/;

export const reachOf = (files: readonly string[]): Reach => ({
  product: files.some((file) => PRODUCT.test(file) && !IS_TEST.test(file) && !file.endsWith('.md')),
  plugins: files.some((file) => PLUGINS.test(file) && !file.endsWith('.md')),
});

/** Reach of all that differs from a commit, files that git does not know yet included. @throws when git does not know the commit. */
export const reachOfChanges = async (commit: string): Promise<Reach> => {
  const changed = await run('git', ['diff', '--name-only', commit, '--'], { isQuiet: true });
  if (changed.code !== 0) throw new Error(changed.output.trim());
  const added = await run('git', ['ls-files', '--others', '--exclude-standard'], { isQuiet: true });
  return reachOf(`${changed.output}\n${added.output}`.split('\n').filter((file) => file !== ''));
};
