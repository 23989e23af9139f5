import { licenseRules } from '../license-table.ts';
import {
  assertUnchanged,
  componentsOf,
  directOf,
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
import { cyclonedxLicenses } from './license-texts.ts';
import { OWN_COMPONENT, OWN_INVENTORY, ofInventory, unsaid } from './own-facts.ts';

const ROOT = 'application';

/** Source: CycloneDX 1.6 JSON schema, "component.type". */
const TYPES: ReadonlySet<string> = new Set(
  'application framework library container platform operating-system device device-driver firmware file machine-learning-model data cryptographic-asset'.split(
    ' ',
  ),
);

const componentOf = (component: ExportedComponent, isStated: boolean): object => {
  const { digest, name, version, group_name, purl, type, description, direct } = component;
  const known = type !== null && TYPES.has(type) ? type : 'library';
  const licenses = cyclonedxLicenses(component.licenses, licenseRules());
  const own = unsaid(component, {
    ...{ name, version, type: known },
    group: group_name === '' ? null : group_name,
    licenses: [...new Set(licenses.map(({ expression, license }) => expression ?? license?.id ?? license?.name ?? ''))],
    direct: isStated ? direct === true : null,
  });
  return stated({
    type: known,
    'bom-ref': digest,
    group: group_name,
    name,
    version,
    description,
    licenses: licenses.length === 0 ? undefined : licenses,
    purl,
    // such as the type "deb" or "go-module", for which the format has no word
    properties: own === undefined ? undefined : [{ name: OWN_COMPONENT, value: own }],
  });
};

async function* components(target: ExportTarget, isStated: boolean): AsyncGenerator<object> {
  for await (const component of componentsOf(target)) yield componentOf(component, isStated);
}

async function* dependencies(target: ExportTarget): AsyncGenerator<object> {
  const direct: string[] = [];
  for await (const digest of directOf(target)) direct.push(digest);
  if (direct.length > 0) yield { ref: ROOT, dependsOn: direct };
  for await (const { digest, needs } of edgesOf(target)) if (needs.length > 0) yield { ref: digest, dependsOn: needs };
}

interface Head {
  serial: string;
  timestamp: string;
  /** What is said of the inventory where the format has no field for it. */
  own?: string;
}

/** Head that CycloneDX documents of an application share. */
export const cyclonedxHead = (name: string, document: Head): string =>
  jsonFields({
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${document.serial}`,
    version: 1,
    metadata: {
      timestamp: document.timestamp,
      tools: { components: [{ type: 'application', ...EXPORT_TOOL }] },
      component: {
        ...{ type: 'application', 'bom-ref': ROOT, name },
        ...(document.own === undefined ? {} : { properties: [{ name: OWN_INVENTORY, value: document.own }] }),
      },
    },
  });

/** The inventory in CycloneDX 1.6. The same content gives the same document, byte for byte. @throws conflict when it changes meanwhile. */
export async function* cyclonedxDocument(target: ExportTarget): AsyncGenerator<string> {
  const state = await stateOf(target);
  const serial = uuidOf('cyclonedx', target.name, state.fingerprint);
  const timestamp = (state.changed_at ?? new Date(0)).toISOString();
  const isStated = await isDirectStated(target);
  yield `{${cyclonedxHead(target.name, { serial, timestamp, own: ofInventory(isStated) })},\n`;
  yield* jsonArray('components', components(target, isStated));
  yield ',\n';
  yield* jsonArray('dependencies', dependencies(target));
  await assertUnchanged(target, state);
  yield '}\n';
}
