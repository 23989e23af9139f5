-- Pictures of people, as the avatar service had them last; a person without a picture has a row without an image.
create table avatars (
  client_id uuid not null,
  user_id uuid not null,
  -- SHA-256 of the e-mail, by which the service was asked
  email_hash text not null,
  image bytea,
  media_type text check (media_type in ('image/png', 'image/jpeg', 'image/gif', 'image/webp')),
  checked_at timestamptz not null default now(),
  primary key (client_id, user_id),
  foreign key (client_id, user_id) references users (client_id, id) on delete cascade,
  check ((image is null) = (media_type is null))
);
comment on table avatars is 'Pictures of people, fetched from the avatar service.';
call protect_tenant_table('avatars');
