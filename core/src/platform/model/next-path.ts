const ANY_ORIGIN = 'https://origin.invalid';

const hasControlCharacter = (text: string): boolean => {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
};

/**
 * Where to go after signing in: `wanted` if it is a path of this very site, else `/`. Everything that a browser could
 * read as another origin is refused: schemes, `//host`, backslashes, control characters that browsers drop.
 */
export const nextPathOf = (wanted: string | null): string => {
  if (wanted === null || !/^\/(?!\/)/.test(wanted) || wanted.includes('\\') || hasControlCharacter(wanted)) return '/';
  if (!URL.canParse(wanted, ANY_ORIGIN)) return '/';
  const url = new URL(wanted, ANY_ORIGIN);
  // Dot segments can fold into a second slash: /.//host is //host to whoever reads the path next.
  if (url.origin !== ANY_ORIGIN || url.pathname.startsWith('//')) return '/';
  return url.href.slice(ANY_ORIGIN.length);
};
