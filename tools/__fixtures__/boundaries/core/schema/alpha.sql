create table alphas (id uuid);
create table alpha_views (id uuid);
create table alpha_notes (id uuid);
create table gammas (id uuid);
create table alpha_drafts (id uuid);
