import type { FixGroupsProps } from '../../findings/ui/index.ts';
import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { sentenceText } from '../../platform/ui/language/translate.ts';
import { getFixOfFinding } from '../api/group-routes.ts';

/** What fixes a finding, and how many of its repository that closes; undefined where nothing is known. Throws an ApiError. */
export const readFix = async (
  api: ApiClient,
  { id, filters }: { id: string; filters: FixGroupsProps['filters'] },
  signal: AbortSignal,
) => {
  const { data } = await api.call(getFixOfFinding, { params: { id }, query: { filters }, signal });
  return data === null ? undefined : { ...data, label: sentenceText(data.said) };
};
