import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { getFeedbackOptions, reportUsage } from '../api/widget-routes.ts';

/** What is shown, as the route table names it: `/findings/finding-details/:id`. */
interface ShownPage {
  /** Undefined where the address has no page. */
  current(): string | undefined;
  /** Calls after every change of page. */
  subscribe(listener: () => void): void;
}

/**
 * Reports which pages are opened, where the operator measures use. Only the pattern of a page leaves the browser, and a name that this tab
 * gave itself; never the address, which has ids and searches in it.
 */
export const startUsageReports = async (api: ApiClient, shown: ShownPage): Promise<void> => {
  const { data } = await api.call(getFeedbackOptions);
  if (!data.measures_usage) return;
  const visit = crypto.randomUUID();
  let last: string | undefined;
  const report = () => {
    const page = shown.current();
    if (page === undefined || page === last) return;
    const from = last;
    last = page;
    // who works is not told that a report was lost
    api.call(reportUsage, { body: { page, visit, ...(from === undefined ? {} : { from }) } }).catch(() => undefined);
  };
  report();
  shown.subscribe(report);
};
