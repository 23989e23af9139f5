import type { Alpha } from '../model/alpha.ts';
export const AlphaList = ({ items }: { items: Alpha[] }) => <p>{items.length}</p>;
