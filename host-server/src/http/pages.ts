/**
 * Pages of the browser application, so that the HTML itself carries 404 where that is known without data
 * (decisions.md "Addresses"). A test holds this list to the route tables of the slices.
 */
export const PAGES: readonly string[] = [
  '/',
  '/setup',
  '/login',
  '/register',
  '/forgot-password',
  '/findings',
  '/findings/finding-details/:id',
  '/findings/all',
  '/findings/all/finding-details/:id',
  '/sbom-findings',
  '/sbom-findings/:id',
  '/Repositories',
];

/** Pages that answer with an error whatever is asked of them. */
export const ERROR_PAGES: Readonly<Record<string, number>> = { '/sbom-findings/detail/:id': 404 };

/** The browser's router takes upper and lower case for the same, and a slash at the end for nothing. */
const matcher = (pattern: string): RegExp => new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}/?$`, 'i');

const pages = PAGES.map(matcher);
const errorPages = Object.entries(ERROR_PAGES).map(([pattern, status]) => ({ pattern: matcher(pattern), status }));

/** HTTP status of the page at this path. */
export const pageStatus = (path: string): number => {
  const error = errorPages.find((page) => page.pattern.test(path));
  if (error !== undefined) return error.status;
  return pages.some((page) => page.test(path)) ? 200 : 404;
};
