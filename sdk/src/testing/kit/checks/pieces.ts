import type { KitIssue } from '../check.ts';
import { differences } from '../service/placeholders.ts';
import { play } from '../service/play.ts';
import type { Recorded } from '../service/recorded.ts';
import type { Subject } from '../service/subject.ts';
import { resultOf } from './results.ts';

/** A service may send a stream in any pieces: what comes out is the same. */
export async function pieceIssues(subject: Subject, recorded: readonly Recorded[]): Promise<KitIssue[]> {
  const found = await Promise.all(
    recorded.map(async ({ operation, played }): Promise<KitIssue[]> => {
      if (!played.outcome.ok || played.streams === 0) return [];
      const again = await play(subject, operation, { isInPieces: true });
      const value = again.outcome.ok ? resultOf(again.outcome.value, again) : null;
      return differences(resultOf(played.outcome.value, played), value, 1).map((difference) => ({
        what: `${operation.name} answers otherwise when an answer comes byte by byte: ${difference}`,
        where: `${operation.name} with the recorded answers, in pieces`,
        fix: 'Keep what is behind the last line end until more comes, and decode with { stream: true }.',
      }));
    }),
  );
  return found.flat();
}
