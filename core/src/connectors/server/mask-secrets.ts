/** Of a shorter secret nothing could be told from ordinary words. */
const SHORTEST = 4;
const MASK = '[secret]';

/** Remembers the secrets that one run has used, and takes them out of texts that leave it. */
export interface SecretMask {
  add(secret: string): void;
  apply(text: string): string;
}

/** The forms in which a service may repeat a secret. */
const formsOf = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString('base64'),
  Buffer.from(secret).toString('base64url'),
];

export const createSecretMask = (): SecretMask => {
  const forms = new Set<string>();
  return {
    add: (secret) => {
      if (secret.length >= SHORTEST) for (const form of formsOf(secret)) forms.add(form);
    },
    apply: (text) => {
      // the longest first: one form may hold another
      const ordered = [...forms].toSorted((left, right) => right.length - left.length);
      return ordered.reduce((masked, form) => masked.replaceAll(form, MASK), text);
    },
  };
};
