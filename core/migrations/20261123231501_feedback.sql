-- Feedback on the product: what people of an organisation ask for, and what they voted for. Whoever runs the installation reads and answers it.
create table feedback_posts (
  client_id uuid not null references clients (id) on delete cascade,
  id uuid not null default new_id(),
  -- null: the person is gone, their name stays
  author_id uuid,
  author_name text not null,
  title text not null,
  details text not null default '',
  status text not null default 'open' check (status in ('open', 'planned', 'in-progress', 'done', 'declined')),
  -- of who runs the installation
  answer text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (client_id, id),
  foreign key (client_id, author_id) references users (client_id, id) on delete set null (author_id)
);
comment on table feedback_posts is 'What people ask for, with the answer of who runs the installation.';
-- one wish, one post
create unique index feedback_posts_title on feedback_posts (client_id, lower(title));
create index feedback_posts_author on feedback_posts (client_id, author_id);
call protect_tenant_table('feedback_posts');
call allow_poller('feedback_posts');

create table feedback_votes (
  client_id uuid not null,
  post_id uuid not null,
  user_id uuid not null,
  primary key (client_id, post_id, user_id),
  foreign key (client_id, post_id) references feedback_posts (client_id, id) on delete cascade,
  foreign key (client_id, user_id) references users (client_id, id) on delete cascade
);
comment on table feedback_votes is 'Who wants a post to be done.';
create index feedback_votes_user on feedback_votes (client_id, user_id);
call protect_tenant_table('feedback_votes');
call allow_poller('feedback_votes');
