alter table alpha_notes rename to alpha_logs;
drop table alpha_drafts;
create table orphans (id uuid);
