type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

interface Detected {
  encoding: Encoding;
  /** Bytes of the byte-order mark. */
  skip: number;
}

/** Encoding from the byte-order mark, or from the zero bytes that ASCII leaves in UTF-16. */
export function detectEncoding(head: Uint8Array): Detected {
  const [first, second, third] = head;
  if (first === 0xef && second === 0xbb && third === 0xbf) return { encoding: 'utf-8', skip: 3 };
  if (first === 0xff && second === 0xfe) return { encoding: 'utf-16le', skip: 2 };
  if (first === 0xfe && second === 0xff) return { encoding: 'utf-16be', skip: 2 };
  if (first !== 0 && second === 0 && third !== 0) return { encoding: 'utf-16le', skip: 0 };
  if (first === 0 && second !== 0 && third === 0) return { encoding: 'utf-16be', skip: 0 };
  return { encoding: 'utf-8', skip: 0 };
}
