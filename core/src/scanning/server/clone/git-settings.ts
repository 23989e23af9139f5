/**
 * Settings of every git that works for a scan. They come by the environment and beat those of a repository; the files of system and user are
 * not read. What a repository brings along (hooks, filters, submodules, links, helpers) does nothing.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  // what it may talk
  'protocol.allow': 'never',
  'protocol.https.allow': 'always',
  'protocol.version': '2',
  'http.followRedirects': 'initial',
  'http.sslVerify': 'true',
  'http.lowSpeedLimit': '1000',
  'http.lowSpeedTime': '60',
  'http.saveCookies': 'false',
  'transfer.bundleURI': 'false',
  // whom it may start
  'core.fsmonitor': 'false',
  'core.hooksPath': '/dev/null',
  'core.sshCommand': '/bin/false',
  'core.gitProxy': '',
  'core.editor': '/bin/false',
  'core.pager': 'cat',
  'credential.helper': '',
  'diff.external': '',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'init.templateDir': '',
  'submodule.recurse': 'false',
  'fetch.recurseSubmodules': 'false',
  // what it may write
  'core.symlinks': 'false',
  'core.protectHFS': 'true',
  'core.protectNTFS': 'true',
  'core.autocrlf': 'false',
  'core.attributesFile': '/dev/null',
  'core.excludesFile': '/dev/null',
  'core.untrackedCache': 'false',
  'checkout.workers': '1',
  'pack.threads': '1',
  'fetch.writeCommitGraph': 'false',
};

/** Entries that an empty value would not switch off but name something empty. */
const environmentOf = (settings: Readonly<Record<string, string>>): Record<string, string> => {
  const entries = Object.entries(settings);
  return Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(entries.length)],
    ...entries.flatMap(([key, value], index): [string, string][] => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ]);
};

export interface GitSession {
  readonly home: string;
  readonly gitFolder: string;
  readonly workTree: string;
  readonly searchPath: string;
  /** `NAME=value`, in the environment of whatever git starts. */
  readonly marker: string;
}

/** The environment of git, with nothing of our own process. */
export const gitEnvironment = (
  session: GitSession,
  further: {
    readonly settings?: Readonly<Record<string, string>>;
    readonly env?: Readonly<Record<string, string>>;
  } = {},
): Record<string, string> => {
  const [markerName = '', markerValue = ''] = session.marker.split('=');
  return {
    PATH: session.searchPath,
    HOME: session.home,
    XDG_CONFIG_HOME: session.home,
    LC_ALL: 'C',
    [markerName]: markerValue,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_DIR: session.gitFolder,
    GIT_WORK_TREE: session.workTree,
    ...environmentOf({ ...SETTINGS, ...further.settings }),
    ...further.env,
  };
};
