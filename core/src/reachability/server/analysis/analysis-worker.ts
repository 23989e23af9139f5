import type { EcosystemImports } from '../../model/package-use.ts';
import { analyseFolder } from './analyse-folder.ts';

/** Runs in a thread of its own, which is ended where it takes too long or too much memory. */
export const analyse = ({ folder }: { folder: string }): Promise<EcosystemImports[]> =>
  analyseFolder(folder, new AbortController().signal);
