import { expect, test } from 'vitest';
import { cloneHuge, HUGE_KINDS, type HugeContents } from '../../../testing/huge-repositories.ts';
import { type CloneLimits, cloneByGit } from './git-clone.ts';

/** A thousandth of what `npm run soak -- hugerepo` does: 10 GB, 1,000,000 files. */
const CONTENTS: HugeContents = { zeros: 10_000_000, noise: 4_000_000, files: 1000, levels: 5 };
const LIMITS: CloneLimits = { timeoutMs: 120_000, bytes: 2_000_000, files: 300, memoryMb: 1024 };

test.each(HUGE_KINDS)(
  'a repository that is huge by its %s is refused, and takes no more disk than it may',
  async (kind) => {
    const result = await cloneHuge(kind, {
      contents: CONTENTS,
      limits: LIMITS,
      clone: (url, { work, limits }) =>
        cloneByGit(
          { url, branch: 'main', login: null, allowsPrivate: true },
          { work, limits, searchPath: process.env.PATH ?? '', signal: new AbortController().signal },
        ),
    });
    expect(result).toMatchObject({ outcome: 'clone_too_large', written: 0 });
    expect(result.message).toMatch(/Scan it in your pipeline/);
    expect(result.peakBytes).toBeLessThan(2 * LIMITS.bytes);
    expect(result.peakFiles).toBeLessThan(2 * LIMITS.files);
    expect(result.peakMemoryMb).toBeLessThanOrEqual(LIMITS.memoryMb);
  },
);

test('the same contents within the limits are cloned', async () => {
  const result = await cloneHuge('files', {
    contents: CONTENTS,
    limits: { ...LIMITS, files: 1000 },
    clone: (url, { work, limits }) =>
      cloneByGit(
        { url, branch: 'main', login: null, allowsPrivate: true },
        { work, limits, searchPath: process.env.PATH ?? '', signal: new AbortController().signal },
      ),
  });
  expect(result).toMatchObject({ outcome: 'cloned', written: 1000 });
});
