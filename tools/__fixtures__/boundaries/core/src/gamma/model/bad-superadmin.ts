import { leaf } from '../../superadmin/model/leaf.ts';
export const stolen = leaf;
