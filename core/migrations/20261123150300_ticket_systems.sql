-- Tickets go to several systems, some of which keep them and tell how they stand.
alter table ticket_deliveries
  -- id of a connector with the capability "tickets"
  add column connector_id text not null default 'webhook',
  -- one process at a time sends or follows a ticket
  add column claimed_until timestamptz,
  add column ticket_id text,
  add column ticket_key text,
  add column ticket_url text,
  add column ticket_status text,
  add column is_done boolean not null default false,
  add column is_gone boolean not null default false,
  -- when the service is asked again; null: it is not followed
  add column follow_at timestamptz,
  add column close_attempts integer not null default 0,
  -- why it was not linked or closed
  add column problem text;
create index ticket_deliveries_follow on ticket_deliveries (follow_at) where follow_at is not null;
create index ticket_deliveries_ticket on ticket_deliveries (client_id, connector_id, ticket_id) where ticket_id is not null;
drop policy poller on ticket_deliveries;
call allow_poller('ticket_deliveries', $$(status = 'pending' or follow_at is not null)$$);
