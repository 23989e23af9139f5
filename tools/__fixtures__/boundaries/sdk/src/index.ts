export const sdk = 'sdk';
