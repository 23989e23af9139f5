import { ConnectorError } from '../errors.ts';
import type { MappedRecord, Mapper, Refusal } from './document.ts';
import { answering } from './map-finding.ts';

interface Judged {
  /** `check`: where in the document it stands. */
  readonly part: string;
  readonly input: unknown;
  readonly bindings: Readonly<Record<string, unknown>>;
  readonly mapper: Mapper;
}

/**
 * What expressions give of one answer, once it is known that none of the refusals holds.
 * @throws ConnectorError of the first refusal that does, or `upstream` where the answer cannot be read
 */
export async function readUnlessRefused(
  refuse: readonly Refusal[],
  expressions: Readonly<Record<string, string>>,
  { part, input, bindings, mapper }: Judged,
): Promise<MappedRecord> {
  const refusals = Object.fromEntries(refuse.map(({ when }, index) => [`refuse.${index}`, when]));
  const all = { ...expressions, ...refusals };
  if (Object.keys(all).length === 0) return {};
  const [values = {}] = await answering(part, () => mapper.map({ items: [{ input }], bindings, expressions: all }));
  refuse.forEach(({ code, message, help }, index) => {
    if (values[`refuse.${index}`] === true) throw new ConnectorError(code, message, help === undefined ? {} : { help });
  });
  return values;
}
