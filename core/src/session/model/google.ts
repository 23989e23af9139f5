/** Google as an issuer of ID tokens. */
export const GOOGLE_ISSUER = 'https://accounts.google.com';
