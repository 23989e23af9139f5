/**
 * Pages of the browser application, so that the HTML itself carries 404 where that is known without data
 * (decisions.md "Addresses"). A test holds this list to the route tables of the slices.
 */
export const PAGES: readonly string[] = [
  '/',
  '/account-deleted',
  '/organization-deleted',
  '/setup',
  '/login',
  '/login/single-sign-on',
  '/login/single-sign-on/:client',
  '/register',
  '/forgot-password',
  '/reset-password',
  '/verify-register/:id',
  '/change-password',
  '/mail',
  '/accept-invite',
  '/findings',
  '/findings/finding-details/:id',
  '/findings/:id/fix',
  '/notifications',
  '/scm',
  '/scm/finding-details/:id',
  '/cloud',
  '/cloud/finding-details/:id',
  '/findings/all',
  '/findings/all/finding-details/:id',
  '/frameworks',
  '/frameworks/:id',
  '/sbom-findings',
  '/sbom-findings/:id',
  '/sbom-findings/changes/:id',
  '/Repositories',
  '/Repositories/:id',
  '/Repositories/:id/scans',
  '/manage-repositories',
  '/connector',
  '/connector/plugins',
  '/connector/providers',
  '/connector/published',
  '/connector/builder',
  '/connector/tools',
  '/oauth/callback/:connector',
  '/connector/scanners',
  '/help',
  '/partners',
  '/platform/access-log',
  '/platform/health',
  '/plan-pricings',
  '/payment/success',
  '/payment/cancel',
  '/feedback',
  '/microsoft-marketplace',
  '/manage-clients',
  '/manage-clients/audit/:clientId',
  '/manage-clients/charts/:clientId',
  '/manage-clients/overview/:clientId',
  '/manage-clients/findings',
  '/manage-clients/frameworks/:clientId',
  '/manage-clients/frameworks/:clientId/:id',
  '/manage-clients/findings/:clientId',
  '/manage-clients/findings/finding-details/:clientId/:id',
  '/manage-clients/repositories/:clientId',
  '/Organization',
  '/terms-conditions',
  '/settings',
  '/settings/ai',
  '/settings/audit',
  '/settings/due-dates',
  '/settings/license-policy',
  '/settings/newest-versions',
  '/settings/notifications',
  '/settings/prioritisation',
  '/settings/profile',
  '/settings/reference-data',
  '/settings/scans',
  '/settings/security',
  '/settings/sessions',
  '/settings/setup-2fa',
  '/settings/single-sign-on',
  '/settings/team',
  '/settings/tokens',
];

/** Pages that answer with an error whatever is asked of them. */
export const ERROR_PAGES: Readonly<Record<string, number>> = { '/sbom-findings/detail/:id': 404 };

/** Pages that are refused without a query parameter. Source: specification §8. */
export const QUERY_PAGES: Readonly<Record<string, { parameter: string; status: number }>> = {
  '/reset-password': { parameter: 'token', status: 403 },
  '/connector': { parameter: 'source_control', status: 403 },
  '/accept-invite': { parameter: 'token', status: 403 },
};

/** The browser's router takes upper and lower case for the same, and a slash at the end for nothing. */
const matcher = (pattern: string): RegExp => new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}/?$`, 'i');

const pages = PAGES.map(matcher);
const queryPages = Object.entries(QUERY_PAGES).map(([pattern, demand]) => ({ pattern: matcher(pattern), ...demand }));
const errorPages = Object.entries(ERROR_PAGES).map(([pattern, status]) => ({ pattern: matcher(pattern), status }));

/** HTTP status of the page at this path with this query. */
export const pageStatus = (path: string, query = new URLSearchParams()): number => {
  const error = errorPages.find((page) => page.pattern.test(path));
  if (error !== undefined) return error.status;
  const demand = queryPages.find((page) => page.pattern.test(path));
  if (demand !== undefined && (query.get(demand.parameter) ?? '') === '') return demand.status;
  return pages.some((page) => page.test(path)) ? 200 : 404;
};
