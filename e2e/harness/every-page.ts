import { PAGES } from '../../host-server/src/http/pages.ts';

/** Who a page is for. */
export type Reader = 'stranger' | 'member' | 'superadmin';

/** What stands for the parameters of addresses. */
export interface PageParameters {
  clientId: string;
  repositoryId: string;
  findingId: string;
  componentId: string;
}

/** Pages that an installation shows once, before it has anybody. */
export const FIRST_PAGE = '/setup';

/** Pages of people who are not signed in, and those that lead into an account. */
const STRANGERS =
  /^\/(?:login|register|forgot-password|reset-password|verify-register|accept-invite|microsoft-marketplace)(?:\/|$)/;
const SUPERADMINS = /^\/(?:manage-clients|platform|settings\/reference-data)(?:\/|$)/;

/** What pages need to show something. */
const QUERIES: Readonly<Record<string, string>> = {
  '/reset-password': '?token=used',
  '/accept-invite': '?token=used',
  '/microsoft-marketplace': '?token=used',
  '/connector': '?source_control=gitea',
  '/manage-repositories': '?source_control=git',
};

/** @throws for a page with a parameter that nothing stands for yet */
const addressOf = (page: string, { clientId, repositoryId, findingId, componentId }: PageParameters): string => {
  const known: readonly [RegExp, string][] = [
    [/:client(?:Id)?\b/, clientId],
    [/:connector\b/, 'github'],
    [/(?<=\/finding-details\/(?:.*\/)?):id\b/, findingId],
    [/(?<=\/findings\/):id\b/, findingId],
    [/(?<=\/frameworks\/(?:.*\/)?):id\b/, 'pci-dss-4'],
    [/(?<=\/sbom-findings\/):id\b/, componentId],
    [/(?<=\/(?:Repositories|sbom-findings\/changes)\/):id\b/, repositoryId],
    [/(?<=\/verify-register\/):id\b/, 'used'],
  ];
  const address = known.reduce((text, [place, value]) => text.replace(place, value), page);
  if (address.includes(':')) throw new Error(`e2e/harness/every-page.ts has to say what stands in ${page}`);
  return `${address}${QUERIES[page] ?? ''}`;
};

export interface PageVisit {
  /** As the table of pages has it. */
  page: string;
  address: string;
  /** For names of files. */
  name: string;
}

/** Every page of the application that a reader may see, as the table of pages has them: a new page is among them by itself. */
export const pagesFor = (reader: Reader, parameters: PageParameters): PageVisit[] =>
  PAGES.filter((page) => page !== FIRST_PAGE)
    .filter((page) => {
      if (STRANGERS.test(page)) return reader === 'stranger';
      return reader === (SUPERADMINS.test(page) ? 'superadmin' : 'member');
    })
    .map((page) => ({
      page,
      address: addressOf(page, parameters),
      name: page === '/' ? 'dashboard' : page.slice(1).replaceAll(/[/:]+/g, '-').toLowerCase(),
    }));
