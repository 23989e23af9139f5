declare const db: { selectFrom(table: string): { innerJoin(table: string): unknown } };

// what a comment takes from alphas is no use of it
export const rows = db.selectFrom('alpha_views as v').innerJoin('alphas as a');
