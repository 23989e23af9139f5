import { plainText } from '../../lib/html.ts';
import { paragraphs } from '../../lib/text.ts';
import type { XmlElement } from '../../lib/xml-records.ts';

/** What Fortify says of a class of weaknesses, with gaps for the instance. */
export interface ClassText {
  abstract: string | undefined;
  explanation: string | undefined;
  recommendations: string | undefined;
  links: string[];
}

/** General texts repeat in every finding of their class; this much of one is kept. */
const GENERAL_CHARS = 6_000;

/** A `<Description>` of an FVDL. */
export function classText(element: XmlElement): ClassText {
  const general = (name: string) => {
    const text = element.textOf(name);
    return text === undefined ? undefined : plainText(withoutGaps(text), GENERAL_CHARS) || undefined;
  };
  return {
    abstract: element.textOf('Abstract'),
    explanation: general('Explanation'),
    recommendations: general('Recommendations'),
    links: (element.child('References')?.all('Reference') ?? []).map((entry) => entry.textOf('Source') ?? ''),
  };
}

/** The abstract with the instance's names filled in, then what the class is about. */
export function describe(text: ClassText | undefined, values: ReadonlyMap<string, string>): string | undefined {
  if (text === undefined) return undefined;
  const abstract = text.abstract === undefined ? undefined : plainText(filled(text.abstract, values));
  return paragraphs(abstract, text.explanation);
}

const GAP = /<Replace\s[^<>]{0,200}?key="([^"<>]{1,200})"[^<>]{0,200}\/?>/g;
/** A paragraph may hold another for when a name is missing. */
const ALTERNATIVE = /<AltParagraph>([\s\S]{0,20000}?)<\/AltParagraph>/g;

function filled(abstract: string, values: ReadonlyMap<string, string>): string {
  const isComplete = Array.from(abstract.matchAll(GAP)).every(([, key = '']) => values.has(key));
  if (!isComplete) return withoutGaps(abstract);
  return abstract.replaceAll(ALTERNATIVE, '').replaceAll(GAP, (_match, key: string) => values.get(key) ?? '');
}

function withoutGaps(text: string): string {
  const alternative = Array.from(text.matchAll(ALTERNATIVE), ([, part = '']) => part).join('\n');
  return alternative === '' ? text.replaceAll(GAP, '…') : alternative;
}
