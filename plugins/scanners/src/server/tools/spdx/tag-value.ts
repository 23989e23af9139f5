import { ReportError } from '@breakwater/sdk';
import { LIMITS } from '../../lib/limits.ts';
import type { SpdxPackage, SpdxRelationship } from './document.ts';

/** What the tag-value form holds, in the form of the JSON. Source: SPDX 2.3, "tag:value" examples of each section. */
export type TagPart =
  | { package: SpdxPackage; line: number }
  | { relationship: SpdxRelationship }
  | { license: { licenseId: string; name: string } }
  | { creator: string }
  | { created: string }
  | { issue: string; line: number };

const PACKAGE_FIELDS: ReadonlyMap<string, string> = new Map([
  ['SPDXID', 'SPDXID'],
  ['PackageVersion', 'versionInfo'],
  ['PackageLicenseConcluded', 'licenseConcluded'],
  ['PackageLicenseDeclared', 'licenseDeclared'],
  ['PackageSummary', 'summary'],
  ['PackageDescription', 'description'],
  ['PrimaryPackagePurpose', 'primaryPackagePurpose'],
]);
/** Tags that begin something else than a package. */
const OTHER_SECTIONS: ReadonlySet<string> = new Set([
  'FileName',
  'SnippetSPDXID',
  'SnippetSPDXIdentifier',
  'LicenseID',
  'Reviewer',
]);

interface OpenPackage {
  fields: Record<string, unknown>;
  references: Record<string, string>[];
  line: number;
}

/** @throws ReportError report_malformed when the file ends inside a text */
export function* readTagValue(bytes: Buffer): Generator<TagPart> {
  let open: OpenPackage | undefined;
  let licenseId: string | undefined;
  for (const part of tags(bytes)) {
    if ('issue' in part) {
      yield part;
      continue;
    }
    const { tag, value, line } = part;
    if (tag === 'PackageName' || OTHER_SECTIONS.has(tag)) {
      if (open !== undefined) yield finished(open);
      open = tag === 'PackageName' ? { fields: { name: value }, references: [], line } : undefined;
      licenseId = tag === 'LicenseID' ? value : undefined;
    } else if (tag === 'Relationship') yield relationship(value, line);
    else if (tag === 'LicenseName' && licenseId !== undefined) yield { license: { licenseId, name: value } };
    else if (tag === 'Creator') yield { creator: value };
    else if (tag === 'Created') yield { created: value };
    else if (open !== undefined) addField(open, tag, value);
  }
  if (open !== undefined) yield finished(open);
}

function finished({ fields, references, line }: OpenPackage): TagPart {
  return { package: { ...fields, externalRefs: references }, line };
}

function addField({ fields, references }: OpenPackage, tag: string, value: string): void {
  const field = PACKAGE_FIELDS.get(tag);
  if (field !== undefined) fields[field] ??= value;
  else if (tag === 'ExternalRef' && references.length < LIMITS.references) {
    const [referenceCategory = '', referenceType = '', ...locator] = value.split(/\s+/);
    references.push({ referenceCategory, referenceType, referenceLocator: locator.join(' ') });
  } else if (tag === 'ExternalRefComment') {
    const last = references.at(-1);
    if (last !== undefined) last.comment = value;
  }
}

function relationship(value: string, line: number): TagPart {
  const [spdxElementId, relationshipType, relatedSpdxElement] = value.split(/\s+/);
  if (spdxElementId === undefined || relationshipType === undefined || relatedSpdxElement === undefined)
    return { issue: 'is no relationship of two elements', line };
  return { relationship: { spdxElementId, relationshipType, relatedSpdxElement } };
}

type Tag = { tag: string; value: string; line: number } | { issue: string; line: number };

function* tags(bytes: Buffer): Generator<Tag> {
  let line = 0;
  /** A value between <text> and </text> that goes over several lines. */
  let long: { tag: string; parts: string[]; chars: number; line: number } | undefined;
  for (let at = 0; at < bytes.length; ) {
    const newline = bytes.indexOf(0x0a, at);
    const stop = newline < 0 ? bytes.length : newline;
    const content = bytes.toString('utf8', at, Math.min(stop, at + LIMITS.valueBytes)).replace(/\r$/, '');
    at = stop + 1;
    line += 1;
    if (long !== undefined) {
      const end = content.indexOf('</text>');
      if (long.chars < LIMITS.textChars) long.parts.push(end < 0 ? content : content.slice(0, end));
      long.chars += content.length;
      if (end < 0) continue;
      yield { tag: long.tag, value: long.parts.join('\n').trim(), line: long.line };
      long = undefined;
      continue;
    }
    if (content.trim() === '' || content.trimStart().startsWith('#')) continue;
    const match = /^\s*([A-Za-z][A-Za-z0-9]{0,60}):\s*(.*)$/s.exec(content);
    const [, tag = '', value = ''] = match ?? [];
    if (match === null) yield { issue: 'is no “Tag: value”', line };
    else if (!value.startsWith('<text>')) yield { tag, value: value.trim(), line };
    else if (value.includes('</text>')) yield { tag, value: value.slice(6, value.indexOf('</text>')).trim(), line };
    else long = { tag, parts: [value.slice(6)], chars: value.length, line };
  }
  if (long !== undefined) throw cutOff(long.tag, long.line);
}

function cutOff(tag: string, line: number): ReportError {
  return new ReportError(
    'report_malformed',
    `The file ends inside the text of “${tag}” that begins in line ${line}: it is cut off. Nothing was imported.`,
  );
}
