import { licenseRules } from '../license-table.ts';
import {
  assertUnchanged,
  componentsOf,
  EXPORT_TOOL,
  type ExportedComponent,
  type ExportTarget,
  edgesOf,
  jsonArray,
  jsonFields,
  stated,
  stateOf,
  uuidOf,
} from './export-source.ts';
import { SpdxLicenses } from './license-texts.ts';

const ROOT = 'SPDXRef-Application';
const idOf = (digest: string): string => `SPDXRef-${digest}`;

/** Source: JSON schema of SPDX 2.3, primaryPackagePurpose: with an underscore, where the text of §7.24 has a hyphen. */
const PURPOSES: ReadonlySet<string> = new Set(
  'APPLICATION FRAMEWORK LIBRARY CONTAINER OPERATING_SYSTEM DEVICE FIRMWARE SOURCE ARCHIVE FILE INSTALL'.split(' '),
);

const UNSAID = { downloadLocation: 'NOASSERTION', filesAnalyzed: false, copyrightText: 'NOASSERTION' };

const packageOf = (component: ExportedComponent, licenses: SpdxLicenses): object => {
  const { digest, name, version, group_name, purl, type, description } = component;
  const purpose = type?.toUpperCase().replaceAll('-', '_');
  // the format has no group: npm and others write it before the name
  const fullName = group_name === null || group_name === '' ? name : `${group_name}/${name}`;
  return stated({
    SPDXID: idOf(digest),
    name: fullName,
    versionInfo: version,
    ...UNSAID,
    licenseConcluded: 'NOASSERTION',
    licenseDeclared: licenses.declared(component.licenses),
    description,
    primaryPackagePurpose: purpose !== undefined && PURPOSES.has(purpose) ? purpose : undefined,
    externalRefs:
      purl === null
        ? undefined
        : [{ referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator: purl }],
  });
};

async function* packages(target: ExportTarget, licenses: SpdxLicenses): AsyncGenerator<object> {
  yield {
    SPDXID: ROOT,
    name: target.name,
    ...UNSAID,
    licenseConcluded: 'NOASSERTION',
    licenseDeclared: 'NOASSERTION',
    primaryPackagePurpose: 'APPLICATION',
  };
  for await (const component of componentsOf(target)) yield packageOf(component, licenses);
}

const relationship = (from: string, relationshipType: string, to: string): object => ({
  spdxElementId: from,
  relationshipType,
  relatedSpdxElement: to,
});

async function* relationships(target: ExportTarget): AsyncGenerator<object> {
  yield relationship('SPDXRef-DOCUMENT', 'DESCRIBES', ROOT);
  for await (const { digest, direct } of componentsOf(target)) {
    yield relationship(ROOT, direct === true ? 'DEPENDS_ON' : 'CONTAINS', idOf(digest));
  }
  for await (const { digest, needs } of edgesOf(target)) {
    for (const need of needs) yield relationship(idOf(digest), 'DEPENDS_ON', idOf(need));
  }
}

async function* explained(licenses: SpdxLicenses): AsyncGenerator<object> {
  for (const [licenseId, text] of licenses.named) {
    yield {
      licenseId,
      name: text,
      extractedText: `The inventory names this licence "${text}" and holds no text of it.`,
    };
  }
}

/** SPDX allows no fractions of seconds. */
const withoutFraction = (date: Date): string => date.toISOString().replace(/\.\d+Z$/, 'Z');

/** The inventory in SPDX 2.3. The same content gives the same document, byte for byte. @throws conflict when it changes meanwhile. */
export async function* spdxDocument(target: ExportTarget): AsyncGenerator<string> {
  const state = await stateOf(target);
  const licenses = new SpdxLicenses(licenseRules());
  const head = {
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: target.name,
    documentNamespace: `https://spdx.org/spdxdocs/breakwater-${uuidOf('spdx', target.name, state.fingerprint)}`,
    creationInfo: {
      created: withoutFraction(state.changed_at ?? new Date(0)),
      creators: [`Tool: ${EXPORT_TOOL.name}-${EXPORT_TOOL.version}`],
    },
  };
  yield `{${jsonFields(head)},\n`;
  yield* jsonArray('packages', packages(target, licenses));
  yield ',\n';
  yield* jsonArray('relationships', relationships(target));
  if (licenses.named.size > 0) {
    yield ',\n';
    yield* jsonArray('hasExtractedLicensingInfos', explained(licenses));
  }
  await assertUnchanged(target, state);
  yield '}\n';
}
