-- Long work is picked up again: by the browser that comes back, and by a server where the queue has given up on it.

-- When it last got on. What does not get on is ordered anew, so often: see findings/server/verdicts/bulk-sweep.ts.
alter table client_jobs add column touched_at timestamptz not null default now();
alter table client_jobs add column orders smallint not null default 0;
-- When whoever ordered it was shown how it ended.
alter table client_jobs add column seen_at timestamptz;

create index client_jobs_unfinished on client_jobs (client_id, touched_at) where finished_at is null;
create index client_jobs_unseen on client_jobs (client_id, actor, id) where seen_at is null;
