-- Ids that SQL makes are in the order of their microseconds (RFC 9562, section 6.2, method 3), not only of their milliseconds: lists that
-- are ordered by id, such as events and notifications, keep the order in which rows were written.
create or replace function new_id() returns uuid language plpgsql volatile parallel safe as $$
declare
  at bigint := extract(epoch from clock_timestamp()) * 1000000;
begin
  return encode(
    overlay(uuid_send(gen_random_uuid())
      placing int8send(((at / 1000) << 16) | x'7000'::bigint | ((at % 1000) * 4096 / 1000)) from 1 for 8),
    'hex');
end $$;
