import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative } from 'node:path';
import type { Program } from '../plugin-command.ts';

/** In files of our own: those of plugins are not touched. */
const IMPORT = /\bfrom '(\.{1,2}\/[^']+)\.ts'/g;

/** What a program consists of, as JavaScript, by the file that it was. @param file in TypeScript, what runs first */
const plainFiles = (file: string, found = new Map<string, string>()): Map<string, string> => {
  if (found.has(file)) return found;
  const plain = stripTypeScriptTypes(readFileSync(file, 'utf8'));
  found.set(file, plain.replace(IMPORT, "from '$1.js'"));
  for (const [, path] of plain.matchAll(IMPORT)) plainFiles(join(dirname(file), `${path}.ts`), found);
  return found;
};

/**
 * The program of plugins as JavaScript, kept in a folder: most of the time in which a process starts goes into turning TypeScript into it. Files that
 * are missing are written again, since folders for temporary files are tidied up; where they cannot be, the program is what was given.
 * @param parent the folder is made in it, and may be read by whoever runs plugins
 */
export const createPlainProgram = (program: Program, parent: string): (() => Program) => {
  // the packed SDK is JavaScript already
  if (!program.file.endsWith('.ts')) return () => program;
  const folder = join(realpathSync(parent), 'program');
  const plainName = (file: string): string => join(folder, relative(program.folder, file).replace(/\.ts$/, '.js'));
  const files = [...plainFiles(program.file)].map(([file, text]) => ({ file: plainName(file), text }));
  return () => {
    try {
      for (const { file, text } of files.filter((one) => !existsSync(one.file))) {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
      }
      return { folder: `${folder}/`, file: plainName(program.file) };
    } catch {
      // one that is written by half must not be taken for whole
      rmSync(folder, { recursive: true, force: true });
      return program;
    }
  };
};
