import type { XmlElement } from '../../lib/formats/xml.ts';
import { defined } from '../../lib/values/read.ts';

/** Elements of the XML form (1.0 to 1.6) in the form of the JSON. */

export function componentFromXml(element: XmlElement): Record<string, unknown> {
  return defined({
    'bom-ref': element.attributes.get('bom-ref'),
    type: element.attributes.get('type'),
    name: element.textOf('name'),
    version: element.textOf('version'),
    group: element.textOf('group'),
    purl: element.textOf('purl'),
    scope: element.textOf('scope'),
    description: element.textOf('description'),
    licenses: element.child('licenses')?.children.map(licenseFromXml),
    components: element.child('components')?.all('component').map(componentFromXml),
    vulnerabilities: element.child('vulnerabilities')?.all('vulnerability').map(vulnerabilityFromXml),
  });
}

function licenseFromXml(element: XmlElement): Record<string, unknown> {
  if (element.name === 'expression') return { expression: element.text };
  return { license: { id: element.textOf('id'), name: element.textOf('name') } };
}

export function dependencyFromXml(element: XmlElement): Record<string, unknown> {
  return {
    ref: element.attributes.get('ref'),
    dependsOn: element.all('dependency').map((target) => target.attributes.get('ref')),
  };
}

export function metadataFromXml(parts: { component?: XmlElement; timestamp?: string; tool?: XmlElement }): unknown {
  const { component, timestamp, tool } = parts;
  return {
    component: component === undefined ? undefined : componentFromXml(component),
    timestamp,
    tools: tool === undefined ? undefined : [{ name: tool.textOf('name'), version: tool.textOf('version') }],
  };
}

/** Both the extension of 1.1 to 1.3 (`v:vulnerability ref`, nested scores) and the core element since 1.4. */
export function vulnerabilityFromXml(element: XmlElement): Record<string, unknown> {
  const ref = element.attributes.get('ref');
  const targets = element.child('affects')?.all('target') ?? [];
  const affects = targets.map((target) => ({
    ref: target.textOf('ref'),
    versions: target.child('versions')?.all('version').map(versionFromXml),
  }));
  const source = element.child('source');
  return {
    'bom-ref': element.attributes.get('bom-ref'),
    id: element.textOf('id'),
    source: { name: source?.textOf('name') ?? source?.attributes.get('name'), url: source?.textOf('url') },
    ratings: element.child('ratings')?.all('rating').map(ratingFromXml),
    cwes: element
      .child('cwes')
      ?.all('cwe')
      .map((cwe) => cwe.text),
    description: element.textOf('description'),
    detail: element.textOf('detail'),
    recommendation:
      element.textOf('recommendation') ??
      element
        .child('recommendations')
        ?.all('recommendation')
        .map((entry) => entry.text)
        .join('\n'),
    workaround: element.textOf('workaround'),
    advisories: element
      .child('advisories')
      ?.all('advisory')
      .map((entry) => ({ url: entry.textOf('url') ?? entry.text })),
    references: element
      .child('references')
      ?.all('reference')
      .map((entry) => ({
        id: entry.textOf('id'),
        source: { url: entry.child('source')?.textOf('url') },
      })),
    created: element.textOf('created'),
    analysis: analysisFromXml(element.child('analysis')),
    affects: affects.length === 0 && ref !== undefined ? [{ ref }] : affects,
  };
}

function ratingFromXml(element: XmlElement): Record<string, unknown> {
  const score = element.child('score');
  return {
    severity: element.textOf('severity'),
    score: score?.textOf('base') ?? score?.text,
    method: element.textOf('method'),
    vector: element.textOf('vector'),
  };
}

function versionFromXml(element: XmlElement): Record<string, unknown> {
  return { version: element.textOf('version'), range: element.textOf('range'), status: element.textOf('status') };
}

function analysisFromXml(element: XmlElement | undefined): Record<string, unknown> | undefined {
  if (element === undefined) return undefined;
  return {
    state: element.textOf('state'),
    justification: element.textOf('justification'),
    detail: element.textOf('detail'),
  };
}
