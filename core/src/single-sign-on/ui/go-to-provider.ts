/** Leaves for an identity provider in this window. Anything but an address of the web is refused. */
export const goToProvider = (url: string): void => {
  if (!/^https?:\/\//.test(url)) throw new TypeError('The identity provider has no address of the web.');
  window.location.assign(url);
};
