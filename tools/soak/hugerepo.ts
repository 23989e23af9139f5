import { cloneByGit } from '../../core/src/scanning/server/clone/git-clone.ts';
import { cloneHuge, HUGE_KINDS, type HugeContents } from '../../core/src/testing/huge-repositories.ts';
import { SCAN_LIMITS } from '../../host-server/src/container.ts';

/**
 * 10 GB in one file, 10 GB of noise (the limit is 2 GiB), 1,000,000 files, 10^10 files by folders of folders, under the limits of the product. Needs
 * 15 GB of disk. An argument names the kinds that are tried.
 */
const CONTENTS: HugeContents = { zeros: 10_000_000_000, noise: 10_000_000_000, files: 1_000_000, levels: 10 };
const KINDS = HUGE_KINDS.filter((kind) => process.argv.length < 3 || process.argv.includes(kind));
/** This process itself holds the server of the repository beside the clone. */
const OWN_MEMORY_MB = 1024;

let failures = 0;
for (const kind of KINDS) {
  const result = await cloneHuge(kind, {
    contents: CONTENTS,
    limits: SCAN_LIMITS,
    clone: (url, { work, limits }) =>
      cloneByGit(
        { url, branch: 'main', login: null, allowsPrivate: true },
        { work, limits, searchPath: process.env.PATH ?? '', signal: new AbortController().signal },
      ),
  });
  const isWithin = result.peakMemoryMb <= SCAN_LIMITS.memoryMb && result.peakOwnMemoryMb <= OWN_MEMORY_MB;
  const isRefused = result.outcome === 'clone_too_large' && result.written === 0;
  const isRight = isRefused && isWithin && result.peakBytes < 2 * SCAN_LIMITS.bytes;
  if (!isRight) failures += 1;
  process.stdout.write(`${JSON.stringify({ soak: 'hugerepo', isRight, ...result })}\n`);
}
process.exitCode = failures > 0 ? 1 : 0;
