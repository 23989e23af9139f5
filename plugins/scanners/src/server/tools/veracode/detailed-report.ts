import type { NormalizedFinding, ParseOptions, ReportRecord } from '@breakwater/sdk';
import { partOf } from '../../lib/findings/coverage.ts';
import { isoDate, paragraphs } from '../../lib/findings/text.ts';
import { readXml, type XmlElement, type XmlRecord, type XmlShape } from '../../lib/formats/xml.ts';
import { Tally, wrongTool } from '../../lib/json/records.ts';
import { label, number } from '../../lib/values/read.ts';
import { componentFinding, decision, flawFinding } from './flaw.ts';

export const ROOT = 'detailedreport';

const XML: XmlShape = {
  root: ROOT,
  namespace: '',
  records: [
    'severity/category/desc',
    'severity/category/recommendations',
    'software_composition_analysis/vulnerable_components/component',
  ],
  anywhere: ['flaw'],
  // The root itself.
  heads: [''],
  tool: 'Veracode',
};

/** What a category says in front of its flaws. */
interface Category {
  description?: string | undefined;
  mitigation?: string | undefined;
}

/** Reads the detailed report, which keeps all texts in attributes. @throws ReportError */
export async function* readDetailedReport(
  report: AsyncIterable<Uint8Array>,
  { signal }: ParseOptions,
): AsyncGenerator<ReportRecord> {
  const tally = new Tally();
  let category: Category = {};
  let index = 0;
  yield { kind: 'report', toolName: 'Veracode' };
  for await (const record of readXml(report, XML, signal)) {
    const { path, element, isHead } = record;
    const said = element.attributes;
    if (isHead) yield* partOf({ application: label(said.get('app_name')), sandbox: label(said.get('sandbox_id')) });
    else if (path.endsWith('/desc')) category = { description: textsOf(element) };
    else if (path.endsWith('/recommendations')) category = { ...category, mitigation: textsOf(element) };
    else if (path.endsWith('/component')) yield* componentFindings(element, tally);
    else if (label(said.get('issueid')) === undefined && label(said.get('cweid')) === undefined)
      yield* tally.addUnreadable(`flaw[${index}]`, 'has neither a number nor a weakness');
    else {
      tally.readable += 1;
      yield reportFlaw(record, category);
    }
    if (element.name === 'flaw') index += 1;
  }
  tally.assertReadable((reason) => wrongTool('Veracode', reason));
}

/** `<para text="…"><bulletitem text="…"/></para>` */
function textsOf(element: XmlElement): string | undefined {
  const parts = element.children.flatMap((child) => [
    child.attributes.get('text')?.trim(),
    ...child.children.map((item) => `- ${item.attributes.get('text')?.trim() ?? ''}`),
  ]);
  return paragraphs(...parts);
}

function reportFlaw({ path, element, above }: XmlRecord, category: Category): NormalizedFinding {
  const said = (name: string) => label(element.attributes.get(name));
  const weakness = above.find((attributes) => attributes.has('cwename'))?.get('cwename');
  const folder = said('sourcefilepath') ?? '';
  const file = said('sourcefile');
  const actions = element.child('mitigations')?.all('mitigation') ?? [];
  return flawFinding({
    scan: path.includes('dynamicflaws') ? 'DYNAMIC' : path.includes('manualflaws') ? 'MANUAL' : 'STATIC',
    severity: number(said('severity')),
    cwe: said('cweid'),
    name: weakness ?? said('categoryname'),
    id: said('issueid'),
    description: paragraphs(said('description'), category.description),
    mitigation: category.mitigation,
    file: file === undefined ? undefined : `${folder}${folder === '' || folder.endsWith('/') ? '' : '/'}${file}`,
    line: said('line'),
    function: said('functionprototype'),
    url: said('url'),
    parameter: said('vuln_parameter'),
    module: said('module'),
    date: said('date_first_occurrence'),
    suppressed: decision(
      /^fixed$/i.test(said('remediation_status') ?? ''),
      said('mitigation_status') === 'accepted',
      actions.flatMap((action) => label(action.attributes.get('action')) ?? []),
    ),
  });
}

/** A component of software composition analysis, with a finding for each of its vulnerabilities. */
function* componentFindings(component: XmlElement, tally: Tally): Generator<ReportRecord> {
  const said = (name: string) => label(component.attributes.get(name));
  const paths = component.child('file_paths')?.all('file_path') ?? [];
  for (const { attributes } of component.child('vulnerabilities')?.all('vulnerability') ?? []) {
    const id = label(attributes.get('cve_id'));
    tally.readable += 1;
    yield componentFinding({
      id,
      severity: number(attributes.get('severity')),
      name: said('library') ?? said('file_name'),
      version: said('version'),
      paths: paths.map((path) => path.attributes.get('value')),
      cwe: attributes.get('cwe_id'),
      ratings: [['2.0', attributes.get('cvss_score'), undefined]],
      description: label(attributes.get('cve_summary')),
      date: isoDate(attributes.get('first_found_date')),
      suppressed: decision(false, attributes.get('mitigation') === 'true', []),
    });
  }
}
