import type { AddedImporters } from '@breakwater/core/shell/plugins/index.ts';
import type { AnyConnector } from '@breakwater/sdk';
import { readDocument } from '@breakwater/sdk/declarative';
import { createMapper } from '@breakwater/sdk/host';
import { type OpenOptions, openUnpacked } from './installed/open-unpacked.ts';
import { property } from './property.ts';

/** Where the importers of something that an organisation added come from: plain data, which another thread opens again. */
type Origin =
  | { readonly kind: 'document'; readonly document: unknown }
  | { readonly kind: 'folder'; readonly folder: string; readonly options: OpenOptions };

/** What another thread is told. */
export type ReaderOrigin = Origin & Pick<AddedImporters, 'mark' | 'revision'>;

/** Something that an organisation added and that reads reports. */
export interface AddedReader {
  /** As this thread uses it. */
  readonly importers: AddedImporters;
  readonly origin: ReaderOrigin;
}

/** @returns null where it reads no reports */
export const addedReader = (
  opened: Pick<AddedImporters, 'plugin' | 'parsers'>,
  origin: ReaderOrigin,
): AddedReader | null => {
  const { plugin, parsers } = opened;
  const { mark, revision } = origin;
  return parsers.length === 0 ? null : { importers: { plugin, parsers, mark, revision }, origin };
};

/** A connector that is there and may not be used: not even for reports, which need no connection. */
export const withoutUse = ({ parser: _, ...connector }: AnyConnector, reason: string): AnyConnector => ({
  ...connector,
  disabled: { reason },
});

interface OpenReader {
  readonly importers: AddedImporters;
  close(): void;
}

const openReader = async (origin: ReaderOrigin): Promise<OpenReader> => {
  const { mark, revision } = origin;
  if (origin.kind === 'folder') {
    const { plugin, parsers, close } = await openUnpacked(origin.folder, origin.options);
    return { importers: { plugin, parsers, mark, revision }, close };
  }
  const mapper = createMapper();
  const { plugin, parsers } = readDocument(origin.document, mapper);
  return { importers: { plugin, parsers, mark, revision }, close: () => void mapper.close() };
};

const isOrigin = (value: unknown): value is ReaderOrigin =>
  typeof property(value, 'mark') === 'string' && typeof property(value, 'revision') === 'string';

/** A thread of imports serves many organisations; what was not used for longest is opened anew when it is needed. */
const MOST_OPEN = 20;

/** Opens, in this thread, what another one says of itself; keeps what is used again. */
export const createReaderStore = () => {
  const open = new Map<string, Promise<OpenReader>>();
  const keyOf = ({ mark, revision }: ReaderOrigin): string => `${mark} ${revision}`;

  const closeOldest = (): void => {
    for (const [key, opening] of open) {
      if (open.size <= MOST_OPEN) return;
      open.delete(key);
      void opening.then(({ close }) => close()).catch(() => undefined);
    }
  };

  const read = async (origin: ReaderOrigin): Promise<AddedImporters[]> => {
    const key = keyOf(origin);
    const opening = open.get(key) ?? openReader(origin);
    open.delete(key);
    open.set(key, opening);
    try {
      return [(await opening).importers];
    } catch {
      open.delete(key);
      return [];
    }
  };

  return {
    /**
     * One task at a time uses a thread, so that what the last one used may be closed. What was uninstalled meanwhile is left out: other tools
     * of the organisation are read all the same, and a report of this one is told that it has no importer.
     */
    open: async (origins: readonly unknown[]): Promise<AddedImporters[]> => {
      const importers = await Promise.all(origins.filter(isOrigin).map(read));
      closeOldest();
      return importers.flat();
    },
  };
};
