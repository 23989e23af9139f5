import { SaxesParser } from 'saxes';
import { msg } from '../../../platform/model/message.ts';

/** An element of a small document: names without prefix, text without comments. */
export interface XmlElement {
  name: string;
  namespace: string;
  attributes: Readonly<Record<string, string>>;
  children: XmlElement[];
  /** Its own text, with that of its children. */
  text: string;
}

const MAX_CHARACTERS = 400_000;
const MAX_DEPTH = 50;

/** Why a document is not read. */
export class XmlRefusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'XmlRefusal';
  }
}

/**
 * Reads a whole document. Document types, and with them entities, are refused, so that nothing is fetched or expanded.
 * @throws XmlRefusal
 */
export const readXml = (xml: string): XmlElement => {
  if (xml.length > MAX_CHARACTERS) throw new XmlRefusal(msg('The document is larger than 400,000 characters.'));
  const root: XmlElement = { name: '', namespace: '', attributes: {}, children: [], text: '' };
  const open: XmlElement[] = [root];
  const parser = new SaxesParser({ xmlns: true });
  const addText = (text: string): void => {
    for (const element of open) element.text += text;
  };
  parser.on('doctype', () => {
    throw new XmlRefusal(msg('The document has a document type, which is not read.'));
  });
  parser.on('error', (error) => {
    throw new XmlRefusal(`The document is no XML: ${error.message}`);
  });
  parser.on('opentag', ({ local, uri, attributes }) => {
    if (open.length > MAX_DEPTH) throw new XmlRefusal(msg('The document is nested too deeply.'));
    const values = Object.values(attributes).map((attribute) => [attribute.local, attribute.value] as const);
    const element = { name: local, namespace: uri, attributes: Object.fromEntries(values), children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => void open.pop());
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.write(xml).close();
  const [top] = root.children;
  if (top === undefined) throw new XmlRefusal(msg('The document is empty.'));
  return top;
};

/** The children of a name in a namespace. */
export const childrenOf = (element: XmlElement, namespace: string, name: string): XmlElement[] =>
  element.children.filter((child) => child.name === name && child.namespace === namespace);

/** Every element of a name inside, at any depth, the element itself included. */
export const findAll = (element: XmlElement, namespace: string, name: string): XmlElement[] => [
  ...(element.name === name && element.namespace === namespace ? [element] : []),
  ...element.children.flatMap((child) => findAll(child, namespace, name)),
];
