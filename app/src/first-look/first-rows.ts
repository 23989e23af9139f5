import { headlineOf, placeOf } from '@breakwater/core/findings/model/finding-headline.ts';
import type { FindingAttributes } from '@breakwater/core/findings/ui/data/findings.store.ts';
import { SEVERITY_LABELS } from '@breakwater/core/platform/model/severity.ts';

/** So many rows fill the highest phone. */
const ROWS = 12;

type Child = Node | string;

/** An element with a class of the first look. */
export const element = (tag: string, name: string, ...children: Child[]): HTMLElement => {
  const made = document.createElement(tag);
  made.className = name;
  made.append(...children);
  return made;
};

const isolated = (text: string): HTMLElement => element('bdi', '', text);

/** As `Headline` of the list writes it. */
const headline = (finding: FindingAttributes): Child[] => {
  const { subject, kind, sentence } = headlineOf(finding);
  if (subject === undefined) return [isolated(sentence)];
  const lead = kind === undefined ? (sentence === '' ? '' : ':') : `: ${kind}`;
  return [isolated(subject), lead, ...(sentence === '' ? [] : [element('span', 'fl-more', isolated(sentence))])];
};

/** What `FindingPlace` writes, without what it cuts from the middle. */
const place = (finding: FindingAttributes): string => {
  const { lead, path, position } = placeOf(finding, { isTight: true });
  return [lead, path === undefined ? '' : path.tail + position].filter((part) => part !== '').join(' · ');
};

const priority = (value: number): Child[] => {
  const [whole = '', rest] = String(Math.round(value * 1000) / 1000).split('.');
  return [whole, ...(rest === undefined ? [] : [element('span', 'fl-rest', `.${rest.padEnd(3, '0')}`)])];
};

interface Item {
  attributes: FindingAttributes;
}

const row = ({ attributes }: Item): HTMLElement => {
  const { severity } = attributes;
  const title = element('span', 'fl-title', ...headline(attributes));
  return element(
    'li',
    'fl-row',
    element('span', 'fl-what', title, document.createElement('br'), element('bdi', 'fl-place', place(attributes))),
    element('span', 'fl-priority', ...priority(attributes.priority)),
    // no text: names of classes
    element('span', `fl-severity is-${severity}`, SEVERITY_LABELS[severity]),
  );
};

/** @param answer of `GET /findings`. @returns the first rows; none where nothing was found */
export const firstRows = ({ data }: { data: readonly Item[] }): HTMLElement[] => data.slice(0, ROWS).map(row);
