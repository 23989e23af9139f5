import type { Beta } from '../../beta/model/beta.ts';
export interface Alpha { name: string; beta?: Beta }
