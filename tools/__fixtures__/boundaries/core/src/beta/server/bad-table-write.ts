declare const sql: (parts: TemplateStringsArray, ...values: unknown[]) => unknown;

export const statements = (id: string) => [
  sql`delete from alpha_views v using ${id} where v.id = ${sql`select 1 from alpha_logs`}`,
  sql`insert into alpha_logs select id from alpha_views`,
];
