import type { FixGroupsProps } from '../../findings/ui/index.ts';
import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { getFixOfFinding } from '../api/group-routes.ts';
import { fixLabel } from './fix-label.ts';

/** What fixes a finding, and how many of its repository that closes; undefined where nothing is known. Throws an ApiError. */
export const readFix = async (
  api: ApiClient,
  { id, filters }: { id: string; filters: FixGroupsProps['filters'] },
  signal: AbortSignal,
) => {
  const { data } = await api.call(getFixOfFinding, { params: { id }, query: { filters }, signal });
  return data === null ? undefined : { ...data, label: fixLabel(data.label) };
};
