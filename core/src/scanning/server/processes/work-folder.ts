import { randomUUID } from 'node:crypto';
import { lstat, mkdir, mkdtemp, opendir, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { sayEnglish } from '../../../platform/model/translator.ts';
import {
  endProcesses,
  identifyProcess,
  isSameProcessRunning,
  type ProcessIdentity,
  sessionOf,
} from './process-groups.ts';

const Identity = Type.Object({ pid: Type.Integer(), startedAt: Type.String(), bootId: Type.String() });
/** Which claim on a request for a scan the work belongs to. */
const Claim = Type.Object({ clientId: Type.String(), requestId: Type.String(), leaseId: Type.String() });
export type WorkClaim = Static<typeof Claim>;

/** What stands beside the work of a scan, for the process that comes after a killed one. */
const Owner = Type.Object({
  host: Type.String(),
  owner: Identity,
  program: Type.Union([Identity, Type.Null()]),
  marker: Type.String(),
  /** Missing in what an older version of the server left. */
  claim: Type.Optional(Claim),
});

/** The folder of one scan: nothing outside of it is written. */
export interface WorkFolder {
  readonly folder: string;
  readonly clone: string;
  readonly home: string;
  readonly reports: string;
  /** Stands in the environment of every program of the scan. */
  readonly marker: string;
  /** Notes which program runs now. */
  noteProgram(pid: number): Promise<void>;
  /** Ends what is left of its programs and removes it. */
  remove(): Promise<void>;
}

/** Scans below the data folder. */
export const scansFolder = (dataDirectory: string): string => path.join(dataDirectory, 'scans');

const OWNER_FILE = 'owner.json';

const writeOwner = async (folder: string, owner: Static<typeof Owner>): Promise<void> => {
  const file = path.join(folder, OWNER_FILE);
  // never half a file, whenever the process dies
  await writeFile(`${file}.new`, JSON.stringify(owner), { mode: 0o600 });
  await rename(`${file}.new`, file);
};

const removeFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 100 });

/** Makes the folder of a scan. */
export const createWorkFolder = async (
  dataDirectory: string,
  { clientId, requestId, leaseId }: WorkClaim,
): Promise<WorkFolder> => {
  const parent = scansFolder(dataDirectory);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  // programs name it as it is, links resolved
  const folder = await mkdtemp(path.join(await realpath(parent), `${requestId}-`));
  const marker = `BREAKWATER_SCAN=${randomUUID()}`;
  const owner = await identifyProcess(process.pid);
  const host = os.hostname();
  const noted = { host, owner, marker, claim: { clientId, requestId, leaseId } };
  await writeOwner(folder, { ...noted, program: null });
  const [clone, home, reports] = ['clone', 'home', 'reports'].map((name) => path.join(folder, name));
  if (clone === undefined || home === undefined || reports === undefined) throw new Error('no folders');
  for (const name of [clone, home, reports]) await mkdir(name, { mode: 0o700 });
  return {
    ...{ folder, clone, home, reports, marker },
    noteProgram: async (pid) => writeOwner(folder, { ...noted, program: await identifyProcess(pid) }),
    remove: async () => {
      await endProcesses(null, marker);
      await removeFolder(folder);
    },
  };
};

const readOwner = async (folder: string): Promise<Static<typeof Owner> | null> => {
  try {
    return Value.Parse(Owner, JSON.parse(await readFile(path.join(folder, OWNER_FILE), 'utf8')));
  } catch {
    return null;
  }
};

/** A folder without its note was being made, or is none of ours. */
const NOT_NOTED_FOR_MS = 60_000;
/** Longer than any scan: of a machine or container that cannot be asked. */
const ELSEWHERE_FOR_MS = 24 * 3_600_000;

const isLeftover = async (folder: string, owner: { host: string; owner: ProcessIdentity } | null): Promise<boolean> => {
  if (owner !== null && owner.host === os.hostname()) return !(await isSameProcessRunning(owner.owner));
  const { mtimeMs } = await lstat(folder);
  return mtimeMs < Date.now() - (owner === null ? NOT_NOTED_FOR_MS : ELSEWHERE_FOR_MS);
};

/**
 * Ends the programs of scans whose process was killed and removes their folders. Folders of processes that run, here or in another
 * role of the server, stay. @returns the claims that nobody works on any more, and how many folders were removed
 */
export const removeLeftoverScans = async (
  dataDirectory: string,
): Promise<{ readonly claims: WorkClaim[]; readonly count: number }> => {
  const parent = scansFolder(dataDirectory);
  const claims: WorkClaim[] = [];
  let count = 0;
  for (const name of await readdir(parent).catch((): string[] => [])) {
    const folder = path.join(parent, name);
    const owner = await readOwner(folder);
    // another process may remove it at this moment
    if (!(await isLeftover(folder, owner).catch(() => false))) continue;
    if (owner !== null) await endProcesses(await sessionOf(owner.program), owner.marker);
    await removeFolder(folder);
    if (owner?.claim !== undefined) claims.push(owner.claim);
    count += 1;
  }
  return { claims, count };
};

export interface FolderLimits {
  readonly bytes: number;
  readonly files: number;
}

/** What a folder holds. Links are not followed; counting ends where a limit is passed. */
export const measureFolder = async (
  folder: string,
  limits: FolderLimits,
): Promise<{ bytes: number; files: number }> => {
  const usage = { bytes: 0, files: 0 };
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    // what is being written changes meanwhile
    const entries = await opendir(next).catch(() => null);
    if (entries === null) continue;
    for await (const entry of entries) {
      const entryPath = path.join(next, entry.name);
      usage.files += 1;
      if (entry.isDirectory()) waiting.push(entryPath);
      else usage.bytes += (await lstat(entryPath).catch(() => ({ size: 0 }))).size;
      if (usage.bytes > limits.bytes || usage.files > limits.files) return usage;
    }
  }
  return usage;
};

/** Paths of the plain files below a folder, with `/`, in order. Links are not followed. */
export const listFiles = async (folder: string): Promise<string[]> => {
  const found: string[] = [];
  const waiting = [''];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for await (const entry of await opendir(path.join(folder, next))) {
      const name = next === '' ? entry.name : `${next}/${entry.name}`;
      if (entry.isDirectory()) waiting.push(name);
      else if (entry.isFile()) found.push(name);
    }
  }
  return found.sort();
};

/** Why a folder has grown too large, for people; null where it has not. */
export const folderIssue = async (folder: string, limits: FolderLimits): Promise<string | null> => {
  const { bytes, files } = await measureFolder(folder, limits);
  if (bytes > limits.bytes)
    return sayEnglish('It takes more than the {bytes} MB of disk allowed for a scan.', {
      bytes: Math.floor(limits.bytes / 1024 / 1024),
    });
  if (files > limits.files)
    return sayEnglish('It holds more than the {files} files allowed for a scan.', { files: limits.files });
  return null;
};
