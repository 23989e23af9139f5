export const gate = 'node';
