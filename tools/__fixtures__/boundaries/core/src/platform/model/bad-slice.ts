import type { Beta } from '../../beta/model/beta.ts';
export type Wrapped = Beta;
