import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Scanner, ScanTarget } from '@breakwater/sdk';
import type { CatalogueEntry, ConnectorCatalogue } from '../../../platform/model/connector-catalogue.ts';
import { isOfScanType } from '../../model/scan-requests.ts';
import { findNetworkIsolation, findOneWayOut, type NetworkIsolation, type OneWayOut } from '../processes/network.ts';
import { findProgram, runProgram } from '../processes/run-program.ts';

/** A scanner that some plugin knows how to start. */
export interface KnownScanner {
  readonly id: string;
  readonly entry: CatalogueEntry;
  readonly scanner: Scanner;
}

/** One that this host has. */
export interface InstalledScanner extends KnownScanner {
  readonly version: string;
}

/** Every scanner of the catalogue that is not disabled by its maker. */
export const knownScanners = (catalogue: ConnectorCatalogue): KnownScanner[] =>
  catalogue.entries().flatMap((entry) => {
    const { id, disabled } = entry.connector;
    const scanner = disabled === undefined ? catalogue.capability('scanner', id) : null;
    return scanner === null ? [] : [{ id, entry, scanner }];
  });

/** Those that a scan of this type asks for. */
export const scannersOfType = (
  known: readonly KnownScanner[],
  scanType: string,
  target: ScanTarget['kind'],
): KnownScanner[] =>
  known.filter(({ id, entry, scanner }) => {
    const importer = entry.connector.parser?.tool;
    return scanner.targets.includes(target) && isOfScanType(scanType, { id, category: entry.category, importer });
  });

const DETECT_LIMITS = { timeoutMs: 30_000, memoryMb: 2048, fileBytes: 16_777_216 };
/** Who installs a scanner does not wait longer until it is found. */
const KNOWN_FOR_MS = 60_000;

/** Asks programs for their version, in a folder of their own and without our environment. */
const detectIn = async (folder: string, searchPath: string, scanner: Scanner): Promise<string | null> => {
  const marker = `BREAKWATER_SCAN=${path.basename(folder)}`;
  const run = async (name: string, args: readonly string[]): Promise<string | null> => {
    const file = await findProgram(searchPath, name);
    if (file === null) return null;
    const env = { PATH: searchPath, HOME: folder, LC_ALL: 'C.UTF-8', BREAKWATER_SCAN: path.basename(folder) };
    const result = await runProgram({
      ...{ file, args, folder, env, marker, searchPath },
      limits: DETECT_LIMITS,
      signal: new AbortController().signal,
    }).catch(() => null);
    if (result === null || result.exitCode !== 0) return null;
    return result.stdout.trim() === '' ? result.stderr : result.stdout;
  };
  // a plugin that fails has no scanner
  const found = await scanner.detect({ run }).catch(() => null);
  return found?.version ?? null;
};

/** What this host has. One per process: programs are asked again after a minute. */
export interface ScannerDetection {
  /** The version of each that is installed, by id. */
  versions(known: readonly KnownScanner[]): Promise<ReadonlyMap<string, string>>;
  /** How a scanner that calls no host is started without a network; null where this machine cannot do that. */
  isolation(): Promise<NetworkIsolation | null>;
  /** How a scanner that names its hosts is started with a way out to those alone; null where this machine cannot do that. */
  oneWayOut(): Promise<OneWayOut | null>;
}

export const createScannerDetection = (searchPath: string): ScannerDetection => {
  const found = new Map<string, { at: number; version: Promise<string | null> }>();
  const versionOf = ({ id, scanner }: KnownScanner): Promise<string | null> => {
    const kept = found.get(id);
    if (kept !== undefined && kept.at > Date.now() - KNOWN_FOR_MS) return kept.version;
    const version = (async () => {
      const folder = await mkdtemp(path.join(os.tmpdir(), 'breakwater-detect-'));
      try {
        return await detectIn(folder, searchPath, scanner);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    })();
    found.set(id, { at: Date.now(), version });
    version.catch(() => found.delete(id));
    return version;
  };
  let isolation: Promise<NetworkIsolation | null> | undefined;
  let oneWayOut: Promise<OneWayOut | null> | undefined;
  return {
    isolation: () => (isolation ??= findNetworkIsolation(searchPath)),
    oneWayOut: () => (oneWayOut ??= findOneWayOut(searchPath)),
    versions: async (known) => {
      const versions = new Map<string, string>();
      for (const one of known) {
        const version = await versionOf(one);
        if (version !== null) versions.set(one.id, version);
      }
      return versions;
    },
  };
};
