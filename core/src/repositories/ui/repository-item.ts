import type { Static } from 'typebox';
import type { RepositoryAttributes } from '../api/routes.ts';

export type Repository = Static<typeof RepositoryAttributes>;
export interface RepositoryItem {
  _id: string;
  attributes: Repository;
}
