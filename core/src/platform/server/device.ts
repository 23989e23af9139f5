import Bowser from 'bowser';

/** Of programs that are no browser, the first product: `curl/8.5.0`. */
const PRODUCT = /^(?!Mozilla\/)([\w.-]{1,40})\/(\d{1,6})/;

/** How people know the program behind a user agent: `Firefox 132 on Windows`, `curl 8`; null where it does not say. */
export const deviceOf = (agent: string | null): string | null => {
  if (agent === null || agent.trim() === '') return null;
  const { browser, os } = Bowser.parse(agent);
  if (browser.name === undefined || browser.name === '') {
    const product = PRODUCT.exec(agent);
    return product === null ? null : `${product[1]} ${product[2]}`;
  }
  const [major] = (browser.version ?? '').split('.');
  const program = major === undefined || major === '' ? browser.name : `${browser.name} ${major}`;
  return os.name === undefined || os.name === '' ? program : `${program} on ${os.name}`;
};
