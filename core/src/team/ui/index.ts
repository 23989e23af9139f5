import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { listMembers } from '../api/people-routes.ts';

export { PeopleStore } from './people.store.ts';

/** Members whose name holds a text; whoever may see e-mails finds by them too. */
export const searchMembers = async (
  api: ApiClient,
  { text, most, signal }: { text: string; most: number; signal: AbortSignal },
) => {
  const query = { search: text, pagination: { page: 1, pageSize: most } };
  const { data } = await api.call(listMembers, { query, signal });
  return data.filter(({ attributes }) => attributes.status === 'active');
};
