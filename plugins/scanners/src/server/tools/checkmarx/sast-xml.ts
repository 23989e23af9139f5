import type { NormalizedFinding } from '@breakwater/sdk';
import { LIMITS } from '../../lib/limits.ts';
import { defined, label } from '../../lib/read.ts';
import type { XmlElement } from '../../lib/xml-records.ts';
import { sastFinding, stepOf } from './sast.ts';
import { suppressionOf } from './state.ts';

type Attributes = ReadonlyMap<string, string>;

/** A `<Result>`: one path. Source: cx.xsd of CxSAST 7 to 9. */
export function resultFinding(result: XmlElement, query: Attributes, date: string | undefined): NormalizedFinding {
  const { attributes } = result;
  const path = result.child('Path');
  const name = label(query.get('name')) ?? 'unnamed query';
  const steps = (path?.all('PathNode') ?? []).slice(0, LIMITS.flowSteps).flatMap(pathNode);
  const place = stepOf({
    fileName: attributes.get('FileName'),
    line: attributes.get('Line'),
    column: attributes.get('Column'),
    name: undefined,
    code: steps[0]?.snippet,
  });
  const state = attributes.get('FalsePositive')?.toLowerCase() === 'true' ? '1' : attributes.get('state');
  return sastFinding({
    ruleId: label(query.get('id')) ?? name,
    title: name,
    severity: label(attributes.get('Severity')) ?? label(query.get('Severity')),
    steps,
    place,
    cwe: query.get('cweId'),
    group: label(query.get('group')),
    language: label(query.get('Language')),
    similarityId: label(path?.attributes.get('SimilarityId')),
    suppressed: suppressionOf(state, attributes.get('Status'), attributes.get('Remark')),
    links: [attributes.get('DeepLink')],
    date,
    tags: categoriesOf(query.get('categories')),
  });
}

function pathNode(node: XmlElement) {
  const code = node.child('Snippet')?.child('Line')?.textOf('Code');
  const step = stepOf({
    fileName: node.textOf('FileName'),
    line: node.textOf('Line'),
    column: node.textOf('Column'),
    name: node.textOf('Name'),
    code,
  });
  return step === undefined ? [] : [defined(step)];
}

/** "OWASP Top 10 2017;A7-Cross-Site Scripting (XSS),FISMA 2014;…", where a name may hold commas. */
function categoriesOf(categories: string | undefined): string[] {
  const parts = (categories ?? '').split(/,(?=[^,;]*;)/).map((part) => label(part.replace(';', ': ')));
  return [...new Set(parts.filter((part) => part !== undefined))].slice(0, 50);
}
