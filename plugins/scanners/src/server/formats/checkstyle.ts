import type { XmlRecord, XmlShape } from '../lib/xml-records.ts';

/** Where checkstyle's XML keeps its results. Source: checkstyle's XMLLogger; linters write the same. */
export const checkstyleShape = (tool: string): XmlShape => ({
  root: 'checkstyle',
  namespace: '',
  records: ['file/error'],
  tool,
});

/** Attributes of an error, and the name of the file that it stands in. */
export function checkstyleError({ element, above }: XmlRecord): { file: string | undefined; error: Attributes } {
  return { file: above.at(-1)?.get('name'), error: Object.fromEntries(element.attributes) };
}

export type Attributes = Readonly<Record<string, string | undefined>>;
