import { defined } from '../../lib/read.ts';
import type { XmlElement } from '../../lib/xml-records.ts';
import type { Dependency } from './schema.ts';

/** A `<dependency>` of any schema version in the form of the JSON report. */
export function dependencyFromXml(element: XmlElement): Dependency {
  const vulnerabilities = element.child('vulnerabilities');
  return defined({
    fileName: element.textOf('fileName'),
    filePath: element.textOf('filePath'),
    packages: packagesOf(element.child('identifiers')),
    vulnerabilities: vulnerabilities?.all('vulnerability').map(vulnerabilityOf),
    suppressedVulnerabilities: vulnerabilities?.all('suppressedVulnerability').map(vulnerabilityOf),
  });
}

function packagesOf(identifiers: XmlElement | undefined): unknown[] {
  const packages = identifiers?.all('package').map((entry) => ({ id: entry.textOf('id') })) ?? [];
  // Until version 4: <identifier type="maven"><name>group:artifact:version</name>.
  const older = identifiers?.all('identifier').filter((entry) => entry.attributes.get('type') !== 'cpe') ?? [];
  return [...packages, ...older.map((entry) => ({ id: entry.textOf('name')?.replace(/^\(|\)$/g, '') }))];
}

function vulnerabilityOf(element: XmlElement): Record<string, unknown> {
  return {
    source: element.attributes.get('source'),
    name: element.textOf('name'),
    severity: element.textOf('severity'),
    description: element.textOf('description'),
    notes: element.textOf('notes'),
    cwes: [...(element.child('cwes')?.all('cwe') ?? []), ...element.all('cwe')].map((cwe) => cwe.text),
    cvssv2: element.child('cvssV2') === undefined ? legacyCvss(element) : texts(element.child('cvssV2')),
    cvssv3: texts(element.child('cvssV3')),
    cvssv4: texts(element.child('cvssV4')),
    references: element.child('references')?.all('reference').map(texts),
    vulnerableSoftware: element
      .child('vulnerableSoftware')
      ?.all('software')
      .map((software) => ({
        software: Object.fromEntries(software.attributes),
      })),
  };
}

/** The children's texts by name. */
function texts(element: XmlElement | undefined): Record<string, unknown> {
  return Object.fromEntries(element?.children.map((child) => [child.name, child.text]) ?? []);
}

/** Until version 4 the rating stands beside the name: <cvssScore>, <cvssAccessVector> … */
function legacyCvss(element: XmlElement): Record<string, unknown> {
  return {
    score: element.textOf('cvssScore'),
    accessVector: element.textOf('cvssAccessVector'),
    accessComplexity: element.textOf('cvssAccessComplexity'),
    authenticationr: element.textOf('cvssAuthenticationr'),
    confidentialImpact: element.textOf('cvssConfidentialImpact'),
    integrityImpact: element.textOf('cvssIntegrityImpact'),
    availabilityImpact: element.textOf('cvssAvailabilityImpact'),
  };
}
