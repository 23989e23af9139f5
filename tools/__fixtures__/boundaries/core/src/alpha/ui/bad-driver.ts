import pg from 'pg';
export const client = pg.Client;
