import { setImmediate } from 'node:timers/promises';
import { type EpssTable, readEpss } from '../model/epss-file.ts';

/** Reads an EPSS file without holding up whoever else this thread serves. @throws FeedError */
export const parseEpss = async (text: string): Promise<EpssTable> => {
  const steps = readEpss(text);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await setImmediate();
  }
};
