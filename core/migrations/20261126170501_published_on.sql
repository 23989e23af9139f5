-- Day on which a vulnerability was made public, YYYY-MM-DD, as its report says. Null where no report did since this column is there.
alter table finding_definitions add column published_on text;
