-- Why a model was asked a second time for a fix.
alter table remediations
  -- what was wrong with the first answer; null: there was one alone
  add column ai_repaired text;
