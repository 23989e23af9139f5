import { licenseRules } from '../license-table.ts';
import {
  assertUnchanged,
  componentsOf,
  directOf,
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
import { cyclonedxLicenses } from './license-texts.ts';

const ROOT = 'application';

/** Source: CycloneDX 1.6 JSON schema, "component.type". */
const TYPES: ReadonlySet<string> = new Set(
  'application framework library container platform operating-system device device-driver firmware file machine-learning-model data cryptographic-asset'.split(
    ' ',
  ),
);

const componentOf = (component: ExportedComponent): object => {
  const { digest, name, version, group_name, purl, type, licenses, description } = component;
  const isKnown = type !== null && TYPES.has(type);
  return stated({
    type: isKnown ? type : 'library',
    'bom-ref': digest,
    group: group_name,
    name,
    version,
    description,
    licenses: licenses.length === 0 ? undefined : cyclonedxLicenses(licenses, licenseRules()),
    purl,
    // what the format has no word for, such as "deb" or "go-module"
    properties: isKnown || type === null ? undefined : [{ name: 'breakwater:type', value: type }],
  });
};

async function* components(target: ExportTarget): AsyncGenerator<object> {
  for await (const component of componentsOf(target)) yield componentOf(component);
}

async function* dependencies(target: ExportTarget): AsyncGenerator<object> {
  const direct: string[] = [];
  for await (const digest of directOf(target)) direct.push(digest);
  if (direct.length > 0) yield { ref: ROOT, dependsOn: direct };
  for await (const { digest, needs } of edgesOf(target)) if (needs.length > 0) yield { ref: digest, dependsOn: needs };
}

/** Head that CycloneDX documents of an application share. */
export const cyclonedxHead = (name: string, document: { serial: string; timestamp: string }): string =>
  jsonFields({
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${document.serial}`,
    version: 1,
    metadata: {
      timestamp: document.timestamp,
      tools: { components: [{ type: 'application', ...EXPORT_TOOL }] },
      component: { type: 'application', 'bom-ref': ROOT, name },
    },
  });

/** The inventory in CycloneDX 1.6. The same content gives the same document, byte for byte. @throws conflict when it changes meanwhile. */
export async function* cyclonedxDocument(target: ExportTarget): AsyncGenerator<string> {
  const state = await stateOf(target);
  const serial = uuidOf('cyclonedx', target.name, state.fingerprint);
  const timestamp = (state.changed_at ?? new Date(0)).toISOString();
  yield `{${cyclonedxHead(target.name, { serial, timestamp })},\n`;
  yield* jsonArray('components', components(target));
  yield ',\n';
  yield* jsonArray('dependencies', dependencies(target));
  await assertUnchanged(target, state);
  yield '}\n';
}
