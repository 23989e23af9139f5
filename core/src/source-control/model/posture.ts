import { POSTURE_CHECKS, type PostureAnswer, type PostureCheck } from '@breakwater/sdk';
import { msg } from '../../platform/model/message.ts';
import { isPostureCheck } from '../../platform/model/posture-checks.ts';
import { visibleText } from '../../platform/model/visible-text.ts';

/** What is kept of one setting of a repository. */
export interface PostureState {
  check: PostureCheck;
  /** `unknown`: it could not be seen; a finding of it stays as it is. */
  state: PostureAnswer['state'];
  /** What is set, or why it could not be seen. */
  detail: string;
  branch: string | null;
  /** Page of the provider where it is set, https or http. */
  url: string | null;
}

const MAX_DETAIL = 1000;
const MAX_URL = 2000;
const NOT_TOLD = msg('The provider does not tell it.');

const plain = (text: string, most: number): string =>
  visibleText(text.toWellFormed().replaceAll(/[\p{Cc}\s]+/gu, ' '))
    .trim()
    .slice(0, most)
    .toWellFormed();

const linkOf = (url: string | undefined): string | null => {
  if (url === undefined || url.length > MAX_URL || !URL.canParse(url)) return null;
  const { protocol, href } = new URL(url);
  return protocol === 'https:' || protocol === 'http:' ? href : null;
};

/**
 * What a provider answered, as it is kept: every setting once and in one order. Of a setting that is not answered nothing is known; where
 * two answers speak of one, the worse counts.
 */
export const postureStates = (answers: readonly PostureAnswer[]): PostureState[] => {
  const rank = { 'at-risk': 2, unknown: 1, ok: 0 } as const;
  const known = new Map<PostureCheck, PostureAnswer>();
  for (const answer of answers) {
    if (!isPostureCheck(answer.check) || !Object.hasOwn(rank, answer.state)) continue;
    const before = known.get(answer.check);
    if (before === undefined || rank[answer.state] > rank[before.state]) known.set(answer.check, answer);
  }
  return POSTURE_CHECKS.map((check) => {
    const answer = known.get(check);
    if (answer === undefined) return { check, state: 'unknown', detail: NOT_TOLD, branch: null, url: null };
    const branch = answer.branch === undefined ? null : plain(answer.branch, 255);
    return { check, state: answer.state, detail: plain(answer.detail, MAX_DETAIL), branch, url: linkOf(answer.url) };
  });
};
