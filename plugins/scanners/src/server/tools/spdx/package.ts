import { purlText } from '../../lib/purl.ts';
import { defined, fields, label, list, text } from '../../lib/read.ts';
import type { PackageFacts } from './inventory.ts';
import type { SpdxPackage } from './schema.ts';

/** SPDX writes these words where it says nothing. */
export function said(value: unknown): string | undefined {
  const found = label(value);
  return found === undefined || /^(?:NOASSERTION|NONE)$/i.test(found) ? undefined : found;
}

/** Undefined when the package has no name: then it is nothing that could be listed. */
export function packageFacts(record: SpdxPackage): PackageFacts | undefined {
  const source = fields(record);
  const name = said(source.name) ?? said(source.packageName);
  if (name === undefined) return undefined;
  // What the author of the document concluded wins over what the package declares.
  const license =
    said(source.licenseConcluded ?? source.packageLicenseConcluded) ??
    said(source.licenseDeclared ?? source.packageLicenseDeclared);
  return defined({
    id: label(source.SPDXID),
    name,
    version: said(source.versionInfo),
    purl: purlOf(source.externalRefs),
    type: said(source.primaryPackagePurpose)?.toLowerCase().replaceAll('_', '-'),
    licenses: license === undefined ? undefined : [license],
    description: text(source.description, 4_000) ?? text(source.summary, 4_000),
  });
}

function purlOf(references: unknown): string | undefined {
  const found = list(references).map(fields).filter(isPurl);
  return found.map((entry) => purlText(entry.referenceLocator) ?? label(entry.referenceLocator)).find(Boolean);
}

function isPurl(reference: Record<string, unknown>): boolean {
  return /(?:^|\/)(?:purl|package-?url)$/i.test(label(reference.referenceType) ?? '');
}
