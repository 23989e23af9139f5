/**
 * Picture for a card without a logo: one to three letters or digits on a violet square, as an SVG data address.
 * White on the violet has a contrast of 6.3:1 and the square shows on light and dark cards alike. Source: look.md "Connector card".
 */
export function monogram(letters: string): string {
  if (!/^[A-Za-z0-9]{1,3}$/.test(letters)) throw new RangeError('A monogram is one to three letters or digits.');
  const fontSize = letters.length === 3 ? 12 : 14;
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32" viewBox="0 0 32 32">' +
    '<rect width="32" height="32" rx="6" fill="#634dbf"/>' +
    `<text x="16" y="21" fill="#fff" font-family="sans-serif" font-size="${fontSize}" font-weight="600" ` +
    `text-anchor="middle">${letters}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
