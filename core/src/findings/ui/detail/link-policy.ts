const BLOCKED_SCHEMES = ['javascript', 'vbscript', 'file'];
const DATA_IMAGE = /^data:image\/(gif|png|jpe?g|webp)[;,]/;
const SAFE_SCHEMES = ['http', 'https', 'mailto'];

/**
 * What a browser sees of an address: it drops tabs, line breaks and leading control characters before it reads the
 * scheme, so they are dropped here too.
 */
const asBrowserReads = (address: string): string =>
  [...address].filter((character) => (character.codePointAt(0) ?? 0) > 0x20 && character !== '\u007f').join('');

const decoded = (address: string): string => {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
};

const schemeOf = (address: string): string | undefined => /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase();

/**
 * The address a rendered Markdown link or image may have; empty when it is refused. javascript, vbscript, file and
 * data are blocked, except data images of gif, png, jpeg or webp in an image. Any other scheme but http, https and
 * mailto is refused as well. Source: specification §5.
 */
export const safeAddress = (address: string, isImage: boolean): string => {
  const plain = asBrowserReads(address);
  const scheme = schemeOf(plain);
  if (isImage && scheme === 'data') return DATA_IMAGE.test(plain.toLowerCase()) ? plain : '';
  const hidden = schemeOf(asBrowserReads(decoded(plain)));
  if (hidden !== undefined && BLOCKED_SCHEMES.includes(hidden)) return '';
  if (scheme === undefined) return hidden === undefined || SAFE_SCHEMES.includes(hidden) ? plain : '';
  return SAFE_SCHEMES.includes(scheme) ? plain : '';
};

/** True for an address that leaves this site. `//host` and `\\host` do too. */
export const isExternal = (address: string): boolean => schemeOf(address) !== undefined || /^[\\/]{2}/.test(address);
