import { type Selectable, sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import type { BillingDeps } from '../deps.ts';
import type { BillingAccountsTable } from '../tables.ts';
import { askStripe, requireStripe } from './stripe-client.ts';
import '../tables.ts';

export type BillingAccount = Selectable<BillingAccountsTable>;

/** What is known of the organisation at Stripe. */
export const readAccount = (db: Db, clientId: string): Promise<BillingAccount | undefined> =>
  db.selectFrom('billing_accounts').selectAll().where('client_id', '=', clientId).executeTakeFirst();

/** The organisation whose customer this is; within `forIdentity`. Index: billing_accounts_customer_id_key. */
export const findClientOf = async (db: Db, customerId: string): Promise<string | undefined> => {
  const row = await db
    .selectFrom('billing_accounts')
    .select('client_id')
    .where('customer_id', '=', customerId)
    .executeTakeFirst();
  return row?.client_id;
};

/** Name and address of the organisation as its invoices shall carry them. */
export const readCustomerFields = async (db: Db, clientId: string) => {
  const { organization_name, legal_name, address } = await db
    .selectFrom('clients')
    .select(['organization_name', 'legal_name', 'address'])
    .where('id', '=', clientId)
    .executeTakeFirstOrThrow();
  // our address is one text
  return { name: legal_name === '' ? organization_name : legal_name, address: { line1: address.slice(0, 500) } };
};

/** The organisation's customer at Stripe, made at the first time. Asked for twice, there is one. @throws upstream_failed */
export const ensureCustomer = async ({ database, stripe }: BillingDeps, clientId: string): Promise<string> => {
  const { client } = requireStripe(stripe);
  const known = await database.forClient(clientId, (db) => readAccount(db, clientId));
  if (known !== undefined && known.customer_id !== null) return known.customer_id;
  // the same for every try, as the key demands; name and address follow by the next reading
  const { id } = await askStripe(() =>
    client.customers.create(
      { metadata: { client_id: clientId } },
      { idempotencyKey: `breakwater-customer-${clientId}` },
    ),
  );
  return database.forClient(clientId, async (db) => {
    const { rows } = await sql<{ customer_id: string }>`
      insert into billing_accounts as a (client_id, customer_id) values (${clientId}, ${id})
      on conflict (client_id) do update set customer_id = coalesce(a.customer_id, excluded.customer_id)
      returning customer_id`.execute(db);
    return rows[0]?.customer_id ?? id;
  });
};
