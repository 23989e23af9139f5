import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';

/**
 * The rules of CycloneDX 1.6 and SPDX 2.3 for the parts that we write, closed against anything else.
 * Written by hand from the specifications. CycloneDX exports are held against the official JSON schema as well
 * (host-server/src/exports.db.test.ts); what is here of SPDX was compared with the official one on 2026-11-22, which is not kept here.
 */
const closed = { additionalProperties: false };
const Text = Type.String({ minLength: 1 });
const words = (...values: string[]) => Type.Unsafe<string>({ type: 'string', enum: values });

const License = Type.Union([
  Type.Object({ license: Type.Object({ id: Text }, closed) }, closed),
  Type.Object({ license: Type.Object({ name: Text }, closed) }, closed),
]);
const Expression = Type.Object({ expression: Text }, closed);
const COMPONENT_TYPES =
  'application framework library container platform operating-system device device-driver firmware file machine-learning-model data cryptographic-asset';
const Properties = Type.Array(Type.Object({ name: Text, value: Type.String() }, closed));
const CyclonedxComponent = Type.Object(
  {
    type: words(...COMPONENT_TYPES.split(' ')),
    'bom-ref': Text,
    group: Type.Optional(Text),
    name: Text,
    version: Type.Optional(Type.String({ maxLength: 1024 })),
    description: Type.Optional(Text),
    // ids and names in any number, or exactly one expression
    licenses: Type.Optional(Type.Union([Type.Array(License), Type.Array(Expression, { minItems: 1, maxItems: 1 })])),
    purl: Type.Optional(Text),
    properties: Type.Optional(Properties),
  },
  closed,
);
const Source = Type.Object({ name: Text, url: Type.Optional(Type.String({ pattern: '^https://' })) }, closed);
const Vulnerability = Type.Object(
  {
    'bom-ref': Text,
    id: Text,
    source: Source,
    references: Type.Optional(Type.Array(Type.Object({ id: Text, source: Source }, closed))),
    ratings: Type.Array(
      Type.Object(
        {
          score: Type.Optional(Type.Number()),
          severity: words('critical', 'high', 'medium', 'low', 'info', 'none', 'unknown'),
          method: Type.Optional(words('CVSSv2', 'CVSSv3', 'CVSSv31', 'CVSSv4', 'OWASP', 'SSVC', 'other')),
          vector: Type.Optional(Text),
        },
        closed,
      ),
    ),
    cwes: Type.Optional(Type.Array(Type.Integer({ minimum: 1 }))),
    description: Text,
    recommendation: Type.Optional(Text),
    analysis: Type.Object(
      {
        state: words('resolved', 'exploitable', 'in_triage', 'false_positive', 'not_affected'),
        justification: Type.Optional(words('protected_by_mitigating_control')),
        response: Type.Optional(Type.Array(words('will_not_fix', 'update'))),
        detail: Type.Optional(Text),
      },
      closed,
    ),
    affects: Type.Array(
      Type.Object(
        {
          ref: Text,
          versions: Type.Optional(
            Type.Array(Type.Object({ version: Text, status: words('affected', 'unaffected', 'unknown') }, closed)),
          ),
        },
        closed,
      ),
      { uniqueItems: true },
    ),
  },
  closed,
);
const CyclonedxDocument = Type.Object(
  {
    $schema: Type.Literal('http://cyclonedx.org/schema/bom-1.6.schema.json'),
    bomFormat: Type.Literal('CycloneDX'),
    specVersion: Type.Literal('1.6'),
    serialNumber: Type.String({
      pattern: '^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
    }),
    version: Type.Integer({ minimum: 1 }),
    metadata: Type.Object(
      {
        timestamp: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' }),
        tools: Type.Object(
          {
            components: Type.Array(
              Type.Object(
                { type: Type.Literal('application'), name: Type.Literal('Breakwater'), version: Text },
                closed,
              ),
            ),
          },
          closed,
        ),
        component: Type.Object(
          { type: Type.Literal('application'), 'bom-ref': Text, name: Text, properties: Type.Optional(Properties) },
          closed,
        ),
      },
      closed,
    ),
    components: Type.Array(CyclonedxComponent, { uniqueItems: true }),
    dependencies: Type.Optional(
      Type.Array(Type.Object({ ref: Text, dependsOn: Type.Array(Text, { uniqueItems: true }) }, closed)),
    ),
    vulnerabilities: Type.Optional(Type.Array(Vulnerability)),
  },
  closed,
);
export type CyclonedxFacts = Static<typeof CyclonedxDocument>;

const Ref = Type.String({ pattern: '^SPDXRef-[A-Za-z0-9.-]+$' });
/** Source: JSON schema of SPDX 2.3, "annotations" of a package: all four are required. */
const Annotation = Type.Object(
  {
    annotationDate: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$' }),
    annotationType: words('OTHER', 'REVIEW'),
    annotator: Type.String({ pattern: '^Tool: Breakwater-\\d' }),
    comment: Text,
  },
  closed,
);
const SpdxDocument = Type.Object(
  {
    spdxVersion: Type.Literal('SPDX-2.3'),
    dataLicense: Type.Literal('CC0-1.0'),
    SPDXID: Type.Literal('SPDXRef-DOCUMENT'),
    name: Text,
    documentNamespace: Type.String({ pattern: '^https://[^#]+$' }),
    creationInfo: Type.Object(
      {
        created: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$' }),
        creators: Type.Array(Type.String({ pattern: '^Tool: Breakwater-\\d' }), { minItems: 1 }),
      },
      closed,
    ),
    packages: Type.Array(
      Type.Object(
        {
          SPDXID: Ref,
          name: Text,
          versionInfo: Type.Optional(Text),
          downloadLocation: Text,
          filesAnalyzed: Type.Literal(false),
          copyrightText: Text,
          licenseConcluded: Text,
          licenseDeclared: Text,
          description: Type.Optional(Text),
          annotations: Type.Optional(Type.Array(Annotation)),
          primaryPackagePurpose: Type.Optional(
            words(
              ...'APPLICATION FRAMEWORK LIBRARY CONTAINER OPERATING_SYSTEM DEVICE FIRMWARE SOURCE ARCHIVE FILE INSTALL OTHER'.split(
                ' ',
              ),
            ),
          ),
          externalRefs: Type.Optional(
            Type.Array(
              Type.Object(
                {
                  referenceCategory: Type.Literal('PACKAGE-MANAGER'),
                  referenceType: Type.Literal('purl'),
                  referenceLocator: Text,
                },
                closed,
              ),
            ),
          ),
        },
        closed,
      ),
    ),
    relationships: Type.Array(
      Type.Object(
        {
          spdxElementId: Ref,
          relationshipType: words('DESCRIBES', 'DEPENDS_ON', 'CONTAINS'),
          relatedSpdxElement: Ref,
        },
        closed,
      ),
    ),
    hasExtractedLicensingInfos: Type.Optional(
      Type.Array(
        Type.Object(
          { licenseId: Type.String({ pattern: '^LicenseRef-[A-Za-z0-9.-]+$' }), name: Text, extractedText: Text },
          closed,
        ),
      ),
    ),
  },
  closed,
);
export type SpdxFacts = Static<typeof SpdxDocument>;

const read = <T extends TSchema>(schema: T, text: string): Static<T> => {
  const value: unknown = JSON.parse(text);
  const [issue] = Value.Errors(schema, value);
  if (issue !== undefined) throw new Error(`${issue.instancePath} ${issue.message}`);
  return Value.Parse(schema, value);
};

const assertRefs = (known: readonly string[], used: readonly string[]): void => {
  const refs = new Set(known);
  if (refs.size !== known.length) throw new Error('A reference is used twice.');
  for (const ref of used) if (!refs.has(ref)) throw new Error(`Nothing is called ${ref}.`);
};

/** A CycloneDX document, if it keeps the rules; every reference leads to a component. */
export const readCyclonedx = (text: string): CyclonedxFacts => {
  const document = read(CyclonedxDocument, text);
  const { components, dependencies = [], vulnerabilities = [], metadata } = document;
  assertRefs(
    [metadata.component['bom-ref'], ...components.map((component) => component['bom-ref'])],
    [
      ...dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]),
      ...vulnerabilities.flatMap(({ affects }) => affects.map(({ ref }) => ref)),
    ],
  );
  return document;
};

/** An SPDX document, if it keeps the rules; every reference leads to a package. */
export const readSpdx = (text: string): SpdxFacts => {
  const document = read(SpdxDocument, text);
  assertRefs(
    [document.SPDXID, ...document.packages.map((entry) => entry.SPDXID)],
    document.relationships.flatMap((entry) => [entry.spdxElementId, entry.relatedSpdxElement]),
  );
  return document;
};
