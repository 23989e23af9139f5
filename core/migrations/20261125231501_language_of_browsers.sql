-- What the browser of a person asked for at their last sign-in: the language of what is sent to them until they choose one. Null where it
-- asked for none that there are tables for.
alter table users add column browser_language text check (length(browser_language) <= 35);
