/** How a member of a capability is reached in another process. */
export type MemberKind = 'call' | 'stream' | 'data';
export interface Shape {
  readonly [name: string]: MemberKind | Shape;
}

/**
 * Everything of a connector's code that may live in another process. What is not here does not reach the host: `scanner` starts programs, and
 * `cloud.login` gives them their environment, which no isolation of the code itself would hold.
 */
export const CAPABILITY_SHAPE: Shape = {
  check: 'call',
  scm: {
    user: 'call',
    listRepositories: 'stream',
    listBranches: 'stream',
    readFile: 'call',
    posture: 'call',
    pullRequest: 'call',
    issue: 'call',
    resolveRef: 'call',
    cloneUser: 'data',
    write: {
      createBranch: 'call',
      commitFiles: 'call',
      openPullRequest: 'call',
      openIssue: 'call',
      comment: 'call',
      setStatus: 'call',
      createWebhook: 'call',
      deleteWebhook: 'call',
      settings: { checks: 'data', plan: 'call', set: 'call' },
    },
  },
  cloud: { identity: 'call', inventory: 'stream' },
  remediator: { models: 'call', complete: 'stream' },
  tickets: {
    draft: 'call',
    createTicket: 'call',
    tracking: { projects: 'stream', types: 'call', link: 'call', transition: 'call', ticket: 'call' },
  },
  notify: { send: 'call' },
  findings: { sync: 'stream' },
  webhook: { proof: 'data', on: 'call' },
};

/** Lists of parts, each reached by its place in the list. */
export const LIST_SHAPES: Readonly<Record<string, Shape>> = {
  routes: { method: 'data', path: 'data', role: 'data', input: 'data', handle: 'call' },
  migrate: { from: 'data', rename: 'data', config: 'call' },
};

/** Capabilities that code outside of this process may not have, and why. */
export const REFUSED_CAPABILITIES: Readonly<Record<string, string>> = {
  scanner: 'it starts programs, which third-party code may not',
  'cloud.login': 'it gives programs their environment, which third-party code may not',
};

export const PARSER_DATA = ['tool', 'aliases', 'formats', 'emptyMeansNone', 'reads', 'files'] as const;
/** What stands in a description where a function is. */
export const FUNCTION = '\0function';
