import path from 'node:path';
export const join = path.join;
