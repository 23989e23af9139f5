import { ConnectorError, type NormalizedFinding, type SyncRecord, type SyncTarget } from '@breakwater/sdk';
import { msg } from '../../../platform/model/message.ts';
import { sayEnglish } from '../../../platform/model/translator.ts';

/** What happens to the findings of one target. They must be read to their end. */
export type TakeTarget = (target: SyncTarget, findings: AsyncIterable<NormalizedFinding>) => Promise<void>;

export interface SyncSteps {
  take: TakeTarget;
  /** Told once everything that the connector yielded before the cursor has been taken. */
  reached(cursor: string): Promise<void>;
  /** Longest silence between two records. Default 60 s. */
  stepTimeoutMs?: number;
}

const STEP_TIMEOUT_MS = 60_000;

/** The next record, or the end; a connector that is silent for too long is cut off. */
const nextWithin = async (
  records: AsyncIterator<SyncRecord>,
  timeoutMs: number,
): Promise<IteratorResult<SyncRecord>> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const late = () =>
    reject(
      new ConnectorError(
        'unreachable',
        sayEnglish('Nothing came for {timeoutMs} seconds.', { timeoutMs: timeoutMs / 1000 }),
      ),
    );
  const timer = setTimeout(late, timeoutMs);
  try {
    return await Promise.race([records.next(), promise]);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Splits what a connector yields by target, one after the other. A cursor counts once the target that it stands in is complete.
 * @throws ConnectorError, `unsupported` where a finding comes before any target; what the connector throws.
 */
export const walkSync = async (stream: AsyncIterable<SyncRecord>, steps: SyncSteps): Promise<number> => {
  const records = stream[Symbol.asyncIterator]();
  const timeoutMs = steps.stepTimeoutMs ?? STEP_TIMEOUT_MS;
  let cursor: string | undefined;
  let target: SyncTarget | undefined;
  let isOver = false;

  /** Up to the next target; what is yielded on the way belongs to the present one. */
  async function* untilTarget(): AsyncGenerator<NormalizedFinding> {
    for (target = undefined; ; ) {
      const { value, done } = await nextWithin(records, timeoutMs);
      if (done === true) {
        isOver = true;
        return;
      }
      if (value.kind === 'target') {
        target = value;
        return;
      }
      if (value.kind === 'cursor') cursor = value.cursor;
      else yield value;
    }
  }

  let taken = 0;
  try {
    for await (const _stray of untilTarget()) {
      throw new ConnectorError(
        'unsupported',
        msg('The connector yielded a finding before it named what it belongs to.'),
      );
    }
    while (target !== undefined) {
      const present: SyncTarget = target;
      await steps.take(present, untilTarget());
      if (target === present) throw new Error('The findings of a target were not read to their end.');
      taken += 1;
      if (cursor !== undefined && !isOver) await steps.reached(cursor);
    }
    return taken;
  } finally {
    if (!isOver) void Promise.resolve(records.return?.()).catch(() => undefined);
  }
};
