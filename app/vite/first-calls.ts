import { getColumns } from '@breakwater/core/findings/api/columns-routes.ts';
import { listFindings } from '@breakwater/core/findings/api/routes.ts';
import { openFilters, PAGE_SIZE, rowsQuery, topQuery } from '@breakwater/core/findings/ui/data/finding-queries.ts';
import { defaultView } from '@breakwater/core/findings/ui/data/finding-view.ts';
import { addressOf } from '@breakwater/core/platform/ui/data/api-client.ts';
import { totalFindingsChart } from '@breakwater/core/posture/api/routes.ts';
import { TOP_ROWS } from '@breakwater/core/posture/model/board.ts';

/**
 * What the pages where people begin ask for first, by their address without a query: whole addresses as the application asks for them. Who
 * chose columns with long texts, or opens with a saved view, has asked for one answer too many.
 */
export const firstCalls = (): Record<string, string[]> => ({
  '/': [
    addressOf(totalFindingsChart, undefined, { filters: openFilters() }),
    addressOf(listFindings, undefined, topQuery({ filters: openFilters(), count: TOP_ROWS })),
  ],
  '/findings': [
    addressOf(listFindings, undefined, rowsQuery(defaultView('open'), { page: 1, pageSize: PAGE_SIZE, include: [] })),
    addressOf(getColumns, undefined, undefined),
  ],
});
