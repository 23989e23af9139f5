-- The access log of superadmins is one page over all organisations. Outside an organisation only these entries are seen.
create policy identity_reads_accesses on audit_entries for select to breakwater_app
  using (current_setting('app.identity', true) = 'on' and kind = 'superadmin.read');
create index audit_entries_accesses on audit_entries (id desc) where kind = 'superadmin.read';
