-- The day of the KEV entry that people were told of: by the notice of the import that brought the definition, or by the one that follows a
-- newer catalogue. What is told is not told again, whichever of an import and the scoring comes first.
alter table finding_definitions add column kev_told text;
update finding_definitions set kev_told = kev_added where kev_added is not null;

-- Open findings found to be listed anew since the last notice; told when the scoring is at its end.
alter table rescores add column kev_found integer not null default 0;
