/** What is wrong with a clone address. */
export { cloneUrlIssue } from '../../repositories/model/clone-url.ts';

import type { CatalogueEntry } from '../../platform/model/connector-catalogue.ts';

/** Providers as the frontend routes name them, with the ids of their connectors. Source: specification §7. */
export const PROVIDERS = {
  github: 'github',
  gitlab: 'gitlab',
  bitbucket: 'bitbucket_cloud',
  gitea: 'gitea',
} as const;
export type Provider = keyof typeof PROVIDERS;

export const PROVIDER_NAMES = ['github', 'gitlab', 'bitbucket', 'gitea'] as const satisfies readonly Provider[];

const bare = (name: string): string => name.toLowerCase().replace(/[\s_-]+/g, '');

/** The service to sign in to that a body names: by route, id or title, `bitbucket cloud` as well as `bitbucket_cloud`. */
export const findProvider = (entries: readonly CatalogueEntry[], name: string): CatalogueEntry | undefined => {
  const wanted = bare(name);
  const id = PROVIDER_NAMES.find((provider) => provider === wanted);
  return entries.find(
    ({ connector }) =>
      connector.auth.type === 'oauth2' &&
      [connector.id, connector.title].some(
        (one) => bare(one) === wanted || (id !== undefined && one === PROVIDERS[id]),
      ),
  );
};
