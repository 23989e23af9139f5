/** Pictures are drawn 32 pixels wide; more than this is a photograph. */
const MAX_PICTURE_BYTES = 32 * 1024;

/** What is wrong with the picture of a card. Only data addresses can be looked into; a path is the application's own. */
export function checkPicture(image: string): string[] {
  if (image.startsWith('/')) return [];
  const bytes = decode(image);
  if (bytes === null) return ['image is not a readable data address'];
  if (bytes.byteLength > MAX_PICTURE_BYTES)
    return [`image has ${bytes.byteLength} bytes, allowed are ${MAX_PICTURE_BYTES}`];
  return image.startsWith('data:image/png') ? checkPng(bytes) : checkSvg(new TextDecoder().decode(bytes));
}

function decode(address: string): Uint8Array | null {
  const match = /^data:image\/(?:svg\+xml|png)((?:;[^,;]+)*),(.*)$/s.exec(address);
  if (!match) return null;
  const [, parameters = '', body = ''] = match;
  try {
    if (!parameters.endsWith(';base64')) return new TextEncoder().encode(decodeURIComponent(body));
    return Uint8Array.from(atob(body), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function checkPng(bytes: Uint8Array): string[] {
  const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
  return signature.every((byte, index) => bytes[index] === byte) ? [] : ['image is no PNG'];
}

/** An SVG can run code and call home. Shown by `<img>` it does neither, but nothing says that it is never opened otherwise. */
function checkSvg(svg: string): string[] {
  const faults: string[] = [];
  if (!/^\s*(<\?xml[^>]*>\s*)?<svg[\s>]/.test(svg) || !/<\/svg>\s*$|\/>\s*$/.test(svg)) faults.push('image is no SVG');
  if (/<script|<foreignObject|\son\w+\s*=|javascript:|<!ENTITY/i.test(svg)) faults.push('image holds code');
  if (/(?:href|src)\s*=\s*["'](?!#|data:image\/(?:png|jpeg))|url\(\s*["']?(?!#)/i.test(svg))
    faults.push('image loads something');
  return faults;
}
