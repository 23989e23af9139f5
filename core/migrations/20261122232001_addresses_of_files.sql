-- Addresses lost a slash when they were stored (https:/host/path). Reports now write them whole, and what a report covers is compared with them.
update finding_files f set path = regexp_replace(f.path, '^(https?|wss?|ftps?):/', '\1://', 'i')
where f.path ~* '^(https?|wss?|ftps?):/[^/]'
  and not exists (
    select from finding_files other
    where other.client_id = f.client_id and md5(other.path) = md5(regexp_replace(f.path, '^(https?|wss?|ftps?):/', '\1://', 'i'))
  );
