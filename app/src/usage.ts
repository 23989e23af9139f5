import { startUsageReports } from '@breakwater/core/feedback/ui/index.ts';
import { API } from '@breakwater/core/platform/ui/data/api-client.ts';
import type { ServiceLocator } from '@breakwater/core/platform/ui/data/services.tsx';
import type { createShellRouter } from '@breakwater/core/shell/ui/routing/router.tsx';

type Router = ReturnType<typeof createShellRouter>;

/** The page that is shown, as the route table names it. */
const patternOf = ({ state }: Router): string | undefined => {
  const paths = state.matches.flatMap(({ route: { path } }) => (path === undefined ? [] : [path]));
  const [page, ...children] = paths;
  return page?.startsWith('/') === true ? [page, ...children].join('/') : undefined;
};

/** Reports opened pages where the operator measures use. @throws ApiError */
export const reportUsageOf = (services: ServiceLocator, router: Router): Promise<void> =>
  startUsageReports(services.get(API), {
    current: () => patternOf(router),
    subscribe: (listener) => void router.subscribe(listener),
  });
