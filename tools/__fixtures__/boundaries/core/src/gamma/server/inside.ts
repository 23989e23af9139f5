export const beta = 'gamma';
