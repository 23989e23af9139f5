import {
  type CategoryKey,
  type Connector,
  defineConnector,
  type FindingType,
  monogram,
  type NoAuth,
  type NoCredentials,
  type ReportSource,
} from '@breakwater/sdk';
import { importers } from '../importers.ts';

/** A entry whose reports are uploaded: no form, no service. */
interface ReportEntry<Id extends string> {
  readonly id: Id;
  readonly title: string;
  readonly category: CategoryKey;
  readonly letters: string;
  /** One sentence, at most 114 characters, so that a note about a missing importer still fits. */
  readonly description: string;
  readonly documentation: string;
  /** Importer that reads its reports; left out where it has none. */
  readonly tool?: string;
  readonly family?: FindingType;
  readonly commercial?: true;
  /** Why the entry cannot be used yet. */
  readonly disabled?: string;
}

export function reportEntry<const Id extends string>(entry: ReportEntry<Id>): Connector<NoCredentials, Id, NoAuth> {
  const { id, title, category, letters, description, documentation, tool, family, commercial, disabled } = entry;
  return defineConnector({
    id,
    title,
    category,
    image: monogram(letters),
    documentation,
    ...(tool === undefined || family === undefined ? { description } : readBy({ tool, family, description })),
    ...(commercial === undefined ? {} : { commercial }),
    ...(disabled === undefined ? {} : { disabled: { reason: disabled } }),
  });
}

/** Importer and description of a entry. Where the importer is not there yet the entry says so, and stops by itself once it is. */
export function readBy(entry: { tool: string; family: FindingType; description: string }): {
  readonly description: string;
  readonly parser?: ReportSource;
} {
  const { tool, family, description } = entry;
  if (importers.some((importer) => importer.tool === tool)) return { description, parser: { tool, family } };
  return { description: description.replace(/\.$/, '; importer comes with the next release.') };
}
