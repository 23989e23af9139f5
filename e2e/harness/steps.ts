import { beforeEach } from 'vitest';

/** For a file whose tests are one person's steps: after the first failed step the rest fail at once instead of waiting. */
export const stopAfterFailure = (): void => {
  let failedStep: string | undefined;
  beforeEach(({ task, onTestFailed }) => {
    if (failedStep !== undefined) throw new Error(`not reached: "${failedStep}" failed`);
    onTestFailed(() => {
      failedStep ??= task.name;
    });
  });
};
