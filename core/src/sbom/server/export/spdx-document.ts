import { licenseRules } from '../license-table.ts';
import {
  assertUnchanged,
  componentsOf,
  EXPORT_TOOL,
  type ExportedComponent,
  type ExportTarget,
  edgesOf,
  isDirectStated,
  jsonArray,
  jsonFields,
  stated,
  stateOf,
  uuidOf,
} from './export-source.ts';
import { SpdxLicenses } from './license-texts.ts';
import { OWN_COMPONENT, OWN_INVENTORY, ofInventory, unsaid } from './own-facts.ts';

const ROOT = 'SPDXRef-Application';
const idOf = (digest: string): string => `SPDXRef-${digest}`;

/** Source: JSON schema of SPDX 2.3, primaryPackagePurpose: with an underscore, where the text of §7.24 has a hyphen. */
const PURPOSES: ReadonlySet<string> = new Set(
  'APPLICATION FRAMEWORK LIBRARY CONTAINER OPERATING_SYSTEM DEVICE FIRMWARE SOURCE ARCHIVE FILE INSTALL'.split(' '),
);

const UNSAID = { downloadLocation: 'NOASSERTION', filesAnalyzed: false, copyrightText: 'NOASSERTION' };

const TOOL = `Tool: ${EXPORT_TOOL.name}-${EXPORT_TOOL.version}`;

/** What packages have in common. */
interface Common {
  licenses: SpdxLicenses;
  created: string;
  isDirectStated: boolean;
}

/** Source: SPDX 2.3 §12. */
const annotationOf = (name: string, json: string, { created }: Common): object => ({
  annotationDate: created,
  annotationType: 'OTHER',
  annotator: TOOL,
  comment: `${name} ${json}`,
});

/** Words that say nothing in this format. */
const isNothing = (text: string): boolean => /^(?:NOASSERTION|NONE)$/i.test(text);

const packageOf = (component: ExportedComponent, common: Common): object => {
  const { digest, name, version, group_name, purl, type, description, direct } = component;
  const wanted = type?.toUpperCase().replaceAll('-', '_');
  const purpose = wanted !== undefined && PURPOSES.has(wanted) ? wanted : undefined;
  // the format has no group: npm and others write it before the name
  const fullName = group_name === null || group_name === '' ? name : `${group_name}/${name}`;
  const declared = common.licenses.declared(component.licenses);
  const own = unsaid(component, {
    name: fullName,
    version: version === null || isNothing(version) ? null : version,
    group: null,
    type: purpose?.toLowerCase().replaceAll('_', '-') ?? null,
    licenses: common.licenses.isExplained(declared, component.licenses) ? component.licenses : [declared],
    direct: common.isDirectStated ? direct === true : null,
  });
  return stated({
    SPDXID: idOf(digest),
    name: fullName,
    versionInfo: version,
    ...UNSAID,
    licenseConcluded: 'NOASSERTION',
    licenseDeclared: declared,
    description,
    primaryPackagePurpose: purpose,
    externalRefs:
      purl === null
        ? undefined
        : [{ referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator: purl }],
    annotations: own === undefined ? undefined : [annotationOf(OWN_COMPONENT, own, common)],
  });
};

async function* packages(target: ExportTarget, common: Common): AsyncGenerator<object> {
  yield {
    SPDXID: ROOT,
    name: target.name,
    ...UNSAID,
    licenseConcluded: 'NOASSERTION',
    licenseDeclared: 'NOASSERTION',
    primaryPackagePurpose: 'APPLICATION',
    annotations: [annotationOf(OWN_INVENTORY, ofInventory(common.isDirectStated), common)],
  };
  for await (const component of componentsOf(target)) yield packageOf(component, common);
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
  const created = withoutFraction(state.changed_at ?? new Date(0));
  const common: Common = { licenses, created, isDirectStated: await isDirectStated(target) };
  const head = {
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: target.name,
    documentNamespace: `https://spdx.org/spdxdocs/breakwater-${uuidOf('spdx', target.name, state.fingerprint)}`,
    creationInfo: {
      created,
      creators: [TOOL],
    },
  };
  yield `{${jsonFields(head)},\n`;
  yield* jsonArray('packages', packages(target, common));
  yield ',\n';
  yield* jsonArray('relationships', relationships(target));
  if (licenses.named.size > 0) {
    yield ',\n';
    yield* jsonArray('hasExtractedLicensingInfos', explained(licenses));
  }
  await assertUnchanged(target, state);
  yield '}\n';
}
