import { msg } from '../../platform/model/message.ts';
import { t } from '../../platform/ui/language/translate.ts';

/** What a superadmin reads at an address of the API, the narrower address first. */
const PLACES: readonly [pattern: RegExp, text: string][] = [
  [/^\/manage-clients\/findings\/[^/]+\/[^/]+\/history$/, msg('History of a finding')],
  [/^\/manage-clients\/findings\/[^/]+\/download_/, msg('Findings as a file')],
  [/^\/manage-clients\/findings\/[^/]+\/groups$/, msg('Groups of findings')],
  [/^\/manage-clients\/findings\/[^/]+\/[^/]+$/, msg('One finding')],
  [/^\/manage-clients\/findings\/[^/]+$/, msg('Findings')],
  [/^\/filter\/findings$/, msg('Values of a filter')],
  [/^\/manage-clients\/repositories\/[^/]+\/[^/]+$/, msg('One repository')],
  [/^\/manage-clients\/repositories\/[^/]+$/, msg('Repositories')],
  [/^\/manage-clients\/charts\//, msg('Charts')],
  [/^\/manage-clients\/frameworks\//, msg('Frameworks')],
  [/^\/manage-clients\/audit\//, msg('Audit log')],
  [/^\/manage-clients\/[^/]+$/, msg('Overview')],
];

/** What was read, in words. @param address of the API, with its query. @returns nothing where the address has no words */
export const accessText = (address: string): string | undefined => {
  const path = address.split('?', 1)[0] ?? '';
  const text = PLACES.find(([pattern]) => pattern.test(path))?.[1];
  return text === undefined ? undefined : t(text);
};
