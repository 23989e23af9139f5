import type { ReportRecord } from '@breakwater/sdk';

/** Some records of a report, in order. */
export type Batch = Iterable<ReportRecord>;

/** The records of the batches one by one. Only a new batch is waited for: waits per record cost more than some records. */
export function recordsOf(batches: AsyncGenerator<Batch>): AsyncIterable<ReportRecord> {
  return { [Symbol.asyncIterator]: () => new Records(batches) };
}

type Step = IteratorResult<ReportRecord, undefined>;
const END: Step = { done: true, value: undefined };

class Records implements AsyncIterator<ReportRecord, undefined> {
  private readonly batches: AsyncGenerator<Batch>;
  private batch: Iterator<ReportRecord> | undefined;

  constructor(batches: AsyncGenerator<Batch>) {
    this.batches = batches;
  }

  next(): Promise<Step> {
    const step = this.batch?.next();
    return step === undefined || step.done === true ? this.nextBatch() : Promise.resolve(step);
  }

  async return(): Promise<Step> {
    this.batch = undefined;
    await this.batches.return(undefined);
    return END;
  }

  private async nextBatch(): Promise<Step> {
    for (;;) {
      const found = await this.batches.next();
      if (found.done === true) return END;
      this.batch = found.value[Symbol.iterator]();
      const step = this.batch.next();
      if (step.done !== true) return step;
    }
  }
}
