import { plural } from '../../../platform/ui/language/translate.ts';

/** `9,120 tokens read, 312 tokens written`. */
export const tokensText = (read: number, written: number): string =>
  [
    plural(read, '{count} token read', '{count} tokens read'),
    plural(written, '{count} token written', '{count} tokens written'),
  ].join(', ');
